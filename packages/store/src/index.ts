export { isAboutRows, isOfContent } from "./about-rows.ts";
export { lacking } from "./expected-shape.ts";
export * from "./port/administration.ts";
export * from "./port/attempt-counts.ts";
export * from "./port/audit.ts";
export * from "./port/chat.ts";
export * from "./port/deliveries.ts";
export * from "./port/delivery-log.ts";
export * from "./port/erasure.ts";
export * from "./port/events.ts";
export * from "./port/hosts.ts";
export * from "./port/imports.ts";
export * from "./port/inspection.ts";
export * from "./port/instances.ts";
export * from "./port/log-page.ts";
export * from "./port/portal-sessions.ts";
export * from "./port/resources.ts";
export * from "./port/store.ts";
export * from "./port/webhooks.ts";
export { SUSPECT_ALONE_FROM, suspectWindow } from "./hot/suspicion.ts";
export { masterKeyId } from "./encryption.ts";
export type { MasterKeyRotationOptions, MasterKeyRotationOutcome } from "./rotate-master-key.ts";
export { rotateSqliteMasterKey } from "./sqlite/rotate-master-key.ts";
export { rotatePostgresMasterKey } from "./postgres/rotate-master-key.ts";
export type { MigrationState } from "./schema-version.ts";
export { makeDataFolder } from "./sqlite/folder-lock.ts";
export { inspectSqlite } from "./sqlite/inspect.ts";
export { comparePostgres, type Comparison } from "./postgres/compare-urls.ts";
export { inspectPostgres, isPooled } from "./postgres/inspect.ts";
export { listSqliteMigrations, upgradeSqlite } from "./sqlite/upgrade.ts";
export { listPostgresMigrations, upgradePostgres } from "./postgres/upgrade.ts";
export { openSqlite, type SqliteOptions, type SqliteStore } from "./sqlite/open.ts";
export { openPostgres, type PostgresOptions } from "./postgres/open.ts";
export { serverUrls } from "./postgres/choose-server.ts";
export {
  DELIVERY_STATES,
  DELIVERY_TRANSITIONS,
  type DeliveryState,
  type DeliveryTransition,
} from "./delivery-states.ts";
export { deliveryStatesPage } from "./delivery-states-page.ts";
