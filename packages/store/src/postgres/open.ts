import { Kysely, PostgresDialect, sql } from "kysely";
import { createAccept } from "../accept-events.ts";
import { acceptInTransaction } from "../hot/accept.ts";
import { repeatPrune } from "../hot/repeat-prune.ts";
import { tellUnreadable } from "../hot/unreadable.ts";
import { auditKeyOf } from "../hot/audit-chain.ts";
import { createAttemptCounts } from "../management/webhooks/attempt-counts.ts";
import { databaseNow, type ManagementContext } from "../management/context.ts";
import { createTellGivenUp } from "../management/notices/given-up-deliveries.ts";
import { openDedupeSecret } from "../management/first-download-key.ts";
import { createCommonParts } from "../management/common-parts.ts";
import { createPullForward } from "../management/early/pull-forward.ts";
import { noteKeys } from "../management/instances.ts";
import type { OpenOptions, SharedHint, Store, StoreHint } from "../port/store.ts";
import type { OrderPair } from "../port/deliveries.ts";
import { createEncryption } from "../encryption.ts";
import type { Tables } from "../tables.ts";
import { tryAccept } from "./trial-accept.ts";
import { acceptTransaction, isNewToBoth } from "./accept.ts";
import { addAttemptCounts } from "./attempt-counts.ts";
import { layBallast } from "./planner-ballast.ts";
import { cancelMarked } from "./cancel-marked.ts";
import { claim, claimProbes, markStarted } from "./claim.ts";
import {
  createHeartPool,
  createHotPool,
  createManagementPool,
  inTransaction,
  mappingErrors,
  readRows,
  storeError,
} from "./connection.ts";
import { Hints } from "./hints.ts";
import { endInstance, renewInstance, startInstance } from "./instances.ts";
import { upgradePostgres } from "./migrate.ts";
import { prune } from "./prune.ts";
import { oldestDue, statistics } from "./statistics.ts";
import { repeatUndone } from "./repeat-after-deadlock.ts";
import { createRescue, release } from "./rescue.ts";
import { requireRights, startError } from "./rights.ts";
import { RowsReadPast } from "./rows-read-past.ts";
import { settle } from "./settle.ts";
import { onConnectionRefused } from "./take-client.ts";
import { watchDeliveries } from "./watch-deliveries.ts";
import { lockingOrder } from "../hot/order-lock.ts";

export interface PostgresOptions extends OpenOptions {
  /** `postgres://…`; may point at pgbouncer. */
  url: string;
  /** For heartbeats and hints, past pgbouncer; the same as `url` if absent. */
  directUrl?: string;
  /** An instance of an older version that has not renewed its row for so long is not running. */
  leaseMs?: number;
  /** Called with the sessions that hold a lock for which the start waits. */
  onWait?: (holders: string[]) => void;
}

/**
 * Opens the store on PostgreSQL 14 or later; any number of instances may share it.
 * @throws `store_unavailable`, `database_read_only`, `database_rights_missing`, `engine_too_old`, `database_encoding_wrong`, `tables_elsewhere`, `schema_newer`, `older_instances_running`, `migration_failed`, `master_key_wrong`, `master_key_missing`.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const directUrl = options.directUrl ?? options.url;
  await upgradePostgres(directUrl, options.leaseMs, options.onWait);
  const hot = createHotPool(options.url, 6, options.directUrl !== undefined);
  const heart = createHeartPool(directUrl);
  const management = createManagementPool(options.url, 3, options.directUrl !== undefined);
  // Reading the log can take long, as while its tables are locked. Nothing else waits for that, a key's look-up least.
  const log = createManagementPool(options.url, 3, options.directUrl !== undefined);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: mappingErrors(management) }),
  });
  const listeners: ((hint: StoreHint) => void)[] = [];
  const tell = (hint: StoreHint): void => listeners.forEach((listener) => listener(hint));
  const hints = new Hints(directUrl, tell);
  onConnectionRefused([hot, heart, management, log], (error) =>
    tell({ kind: "fault", where: "open a connection", error: storeError(error) }),
  );
  const encryption = createEncryption(options.masterKeys);
  const announce = (hint: SharedHint): void => {
    tell(hint);
    hints.send(hint);
  };
  const tellBlocked = ({ blocked }: { blocked: OrderPair[] }): void => {
    if (blocked.length > 0) hints.send({ kind: "blocked", pairs: blocked });
  };
  const close = async (): Promise<void> => {
    await hints.close();
    await Promise.all([hot.end(), heart.end(), management.end(), log.end()]);
  };
  try {
    const dedupeSecret = await openDedupeSecret(db, encryption);
    await requireRights(management);
    // Opens its first connection, which it keeps.
    await readRows(log, "select 1");
    await layBallast(management);
    const context: ManagementContext = {
      db,
      transact: async (work) =>
        await repeatUndone(async () => await db.transaction().execute(work)),
      reader: db,
      encryption,
      dedupeSecret,
      auditKey: auditKeyOf(dedupeSecret),
      dialect: {
        takeInOrder: takeNumbers,
        lockRows,
        // There is no such setting: old versions of rows stay until vacuum frees them and other data use their space.
        overwriting: async (_trx, work) => await work(),
        // All keys are in generations here.
        eraseNewKeys: async () => {},
        // The log belongs to the whole cluster, its archives and its replicas; the server removes it.
        emptyLog: async () => {},
      },
      webhooksChanged: (nos) => announce({ kind: "webhooks", nos }),
      deliveriesReady: () => announce({ kind: "ready" }),
      eventsErasing: (eventSeqs) => announce({ kind: "erasing", eventSeqs }),
    };
    const logContext: ManagementContext = {
      ...context,
      reader: new Kysely({ dialect: new PostgresDialect({ pool: mappingErrors(log) }) }),
    };
    const common = createCommonParts(context, logContext);
    const rowsReadPast = new RowsReadPast(() => performance.now());
    const pruneCursor = { ended: 0, events: 0, notices: 0 };
    const cancelCursor = { after: 0 };
    const accept = createAccept(
      async (items, budget) =>
        await inTransaction(
          hot,
          async (client, last) =>
            await acceptInTransaction(
              acceptTransaction(client, last),
              { baseUrl: options.baseUrl },
              items,
              budget,
            ),
        ),
      common.resources,
      context,
      isNewToBoth,
    );
    return {
      kind: "postgres",
      exclusive: false,
      ...common,
      events: {
        ...common.events,
        accept: async (items, budget) => {
          const outcome = await accept(items, budget);
          if (outcome.claimable > 0) hints.send({ kind: "ready" });
          tellBlocked(outcome);
          return outcome;
        },
      },
      deliveries: {
        claim: async (request) => {
          const outcome = tellUnreadable(await claim(hot, request, rowsReadPast), tell);
          tellBlocked(outcome);
          return outcome;
        },
        claimProbes: async (instanceNo, limit, everyMs) =>
          tellUnreadable(await claimProbes(hot, instanceNo, limit, everyMs), tell).deliveries,
        settle: async (instanceNo, settlements, rule) => {
          const outcome = await settle(hot, instanceNo, settlements, rule, context.auditKey);
          if (outcome.changedWebhooks.length > 0) context.webhooksChanged(outcome.changedWebhooks);
          return outcome;
        },
        markStarted: (instanceNo, leases) => markStarted(hot, instanceNo, leases),
        rescue: createRescue(hot),
        releaseForgotten: (instanceNo, held) =>
          inTransaction(hot, async (client) => await release(client, instanceNo, held)),
        cancelMarked: (limit) => cancelMarked(hot, cancelCursor, limit),
        pullForward: createPullForward(context),
        oldestDue: (above, upTo, most, without) =>
          oldestDue(management, above, upTo, most, without),
      },
      log: {
        ...common.log,
        watch: (nos, perWebhook) => watchDeliveries(log, nos, perWebhook),
      },
      instances: {
        ...common.instances,
        start: async (name, version, survived = null) => {
          const instanceNo = await startInstance(heart, hot, name, version, survived);
          await noteKeys(db, instanceNo, options.masterKeys);
          return { instanceNo, givenBack: null };
        },
        renew: (instanceNo, networkSuspected) =>
          renewInstance(heart, hot, instanceNo, networkSuspected),
        end: (instanceNo) => endInstance(hot, instanceNo),
      },
      attemptCounts: createAttemptCounts(context, (counts) => addAttemptCounts(hot, counts), null),
      maintenance: {
        ...common.maintenance,
        now: async () => Number((await readRows(management, "select mh_now() as now"))[0]?.["now"]),
        tryAccept: () => tryAccept(management),
        prune: (retentionMs, idempotencyMs, limit) =>
          repeatPrune(limit, (rows) => prune(hot, pruneCursor, retentionMs, idempotencyMs, rows)),
        tellGivenUp: createTellGivenUp(context, () => databaseNow(db)),
        statistics: () => statistics(management),
      },
      onHint: (listener) => void listeners.push(listener),
      close,
    };
  } catch (error) {
    await close();
    throw startError(error);
  }
}

/** Locks first, then numbers: so later numbers about the same buyer are really later. */
async function takeNumbers(
  trx: Kysely<Tables>,
  orderLocks: readonly number[],
  count: number,
): Promise<number[]> {
  await sql`select count(*) from (
    select pg_advisory_xact_lock(unnest(${lockingOrder(orderLocks)}::bigint[]))) as held`.execute(
    trx,
  );
  const { rows } = await sql<{ n: number }>`
    select nextval('mh_numbers') as n from generate_series(1, ${count}::int)`.execute(trx);
  return rows.map((row) => Number(row.n)).sort((a, b) => a - b);
}

/** All callers lock in one order, with the same strength as the hot path, so that key share locks still pass. */
async function lockRows(
  trx: Kysely<Tables>,
  table: "api_keys" | "resources" | "webhooks",
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // Settling locks webhooks by number.
  const order = table === "webhooks" ? sql`no` : sql`id collate "C"`;
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${[...ids]}::text[])
    order by ${order} for no key update`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
