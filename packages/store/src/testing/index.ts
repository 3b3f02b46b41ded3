export { askPostgres } from "./ask-postgres.ts";
export { createEncryption } from "../encryption.ts";
export { type ClusterMember, makeCluster } from "./postgres-cluster.ts";
export { lockTable } from "./lock-table.ts";
export { type MemoryStore, openMemoryStore } from "./memory-store.ts";
export { freePort } from "./postgres-folder.ts";
export {
  createTestDatabase,
  execute,
  type PostgresServer,
  startPostgres,
} from "./postgres-server.ts";
export { hostOf } from "../management/host-of.ts";
