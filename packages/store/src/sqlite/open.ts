import { setTimeout } from "node:timers/promises";
import { Kysely, sql, type Transaction } from "kysely";
import { createAccept } from "../accept-events.ts";
import { repeatPrune } from "../hot/repeat-prune.ts";
import { tellUnreadable } from "../hot/unreadable.ts";
import { auditKeyOf } from "../hot/audit-chain.ts";
import { createAttemptCounts } from "../management/webhooks/attempt-counts.ts";
import { createTellGivenUp } from "../management/notices/given-up-deliveries.ts";
import { openDedupeSecret } from "../management/first-download-key.ts";
import type { ManagementContext } from "../management/context.ts";
import { createCommonParts } from "../management/common-parts.ts";
import { createPullForward } from "../management/early/pull-forward.ts";
import { noteKeys } from "../management/instances.ts";
import type { OpenOptions, Store, StoreHint } from "../port/store.ts";
import { withNothingStored } from "../nothing-stored.ts";
import { createEncryption, type Encryption } from "../encryption.ts";
import type { Tables } from "../tables.ts";
import { sqliteDialect } from "./dialect.ts";
import { checkEngine } from "./engine.ts";
import { lockFolder, noteHolder, prepareFolder } from "./folder-lock.ts";
import { receiveAccepted, sendItem, sendSettlement } from "./rows-between-threads.ts";
import { wasUndone } from "./transient-fault.ts";
import { WriterLock } from "./writer-lock.ts";
import { type OperationCaller, WorkerClient } from "./worker-client.ts";

export interface SqliteOptions extends OpenOptions {
  /** Made if absent. Holds the database and the lock. */
  folder: string;
}

export interface SqliteStore extends Store {
  /** For tests of due times: moves the clock. */
  advanceClock(ms: number): Promise<void>;
}

/**
 * Opens the embedded store: one thread that writes, one that reads.
 * @throws `data_dir_in_use`, `database_replaced`, `engine_too_old`, `schema_newer`, `migration_failed`, `master_key_wrong`, `master_key_missing`.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  checkEngine();
  const path = prepareFolder(options.folder);
  const releaseFolder = lockFolder(options.folder);
  const opened: (() => Promise<void>)[] = [async () => releaseFolder()];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const start = async (reader: { clockBase: number } | null): Promise<WorkerClient> => {
      const worker = new WorkerClient({ path, reader, baseUrl: options.baseUrl });
      opened.push(async () => await worker.close());
      await worker.ready();
      return worker;
    };
    const writer = await start(null);
    noteHolder(options.folder);
    const reader = await start({ clockBase: await writer.call("clockBase") });
    const encryption = createEncryption(options.masterKeys);
    return await assemble({ ...options, encryption }, writer, reader, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The store over two that run its operations; see `testing/memory-store.ts` for others than threads. */
export async function assemble(
  options: OpenOptions & { encryption: Encryption },
  writer: OperationCaller,
  readerThread: OperationCaller,
  closeAll: () => Promise<void>,
): Promise<SqliteStore> {
  const writerLock = new WriterLock();
  const db = new Kysely<Tables>({ dialect: sqliteDialect(writer, writerLock) });
  const reader = new Kysely<Tables>({ dialect: sqliteDialect(readerThread, null) });
  const listeners: ((hint: StoreHint) => void)[] = [];
  const tell = (hint: StoreHint): void => listeners.forEach((listener) => listener(hint));
  const { encryption } = options;
  const dedupeSecret = await openDedupeSecret(db, encryption);
  const context: ManagementContext = {
    db,
    transact: async (work) => await db.transaction().execute(work),
    reader,
    encryption,
    dedupeSecret,
    auditKey: auditKeyOf(dedupeSecret),
    dialect: {
      takeInOrder: async (trx, _locks, count) => await takeNumbers(trx, count),
      // A transaction uses the only writer alone.
      lockRows: async (_trx, _table, ids) => new Set(ids),
      overwriting,
      eraseNewKeys,
      emptyLog: async () => await emptyLog(() => writer.call("cutLog"), writerLock),
    },
    webhooksChanged: (nos) => tell({ kind: "webhooks", nos }),
    deliveriesReady: () => tell({ kind: "ready" }),
    eventsErasing: (eventSeqs) => tell({ kind: "erasing", eventSeqs }),
  };
  const common = createCommonParts(context);
  const call: OperationCaller["call"] = (operation, ...parameters) =>
    writerLock.share(() => writer.call(operation, ...parameters));

  return {
    kind: "sqlite",
    exclusive: true,
    ...common,
    events: {
      ...common.events,
      accept: createAccept(
        async (items, budget) =>
          await call("accept", items.map(sendItem), budget).then(
            receiveAccepted,
            (error: unknown) => {
              throw wasUndone(error) ? withNothingStored(error) : error;
            },
          ),
        common.resources,
        context,
      ),
    },
    deliveries: {
      claim: async (request) => tellUnreadable(await call("claim", request), tell),
      claimProbes: async (instanceNo, limit, everyMs) =>
        tellUnreadable(await call("claimProbes", instanceNo, limit, everyMs), tell).deliveries,
      settle: async (instanceNo, settlements, rule) => {
        const sent = settlements.map(sendSettlement);
        const outcome = await call("settle", instanceNo, sent, rule, context.auditKey);
        if (outcome.changedWebhooks.length > 0) context.webhooksChanged(outcome.changedWebhooks);
        return outcome;
      },
      markStarted: (instanceNo, leases) => call("markStarted", instanceNo, leases),
      rescue: (silent) => call("rescue", silent),
      releaseForgotten: (instanceNo, held) => call("releaseForgotten", instanceNo, held),
      cancelMarked: (limit) => call("cancelMarked", limit),
      pullForward: createPullForward(context),
      oldestDue: (above, upTo, most, without) =>
        readerThread.call("oldestDue", above, upTo, most, without),
    },
    log: {
      ...common.log,
      watch: (nos, perWebhook) => readerThread.call("watchDeliveries", nos, perWebhook),
    },
    instances: {
      ...common.instances,
      start: async (name, version, survived = null) => {
        const started = await call("startInstance", name, version, survived);
        await noteKeys(db, started.instanceNo, options.masterKeys);
        return started;
      },
      renew: (instanceNo, networkSuspected) => call("renewInstance", instanceNo, networkSuspected),
      end: (instanceNo) => call("endInstance", instanceNo),
    },
    attemptCounts: createAttemptCounts(
      context,
      (counts) => call("addAttemptCounts", counts),
      COUNTS_AT_ONCE,
    ),
    maintenance: {
      ...common.maintenance,
      now: () => call("now"),
      tryAccept: () => call("tryAccept"),
      prune: (retentionMs, idempotencyMs, limit) =>
        repeatPrune(Math.min(limit, PRUNED_AT_ONCE), (rows) =>
          call("prune", retentionMs, idempotencyMs, rows),
        ),
      tellGivenUp: createTellGivenUp(context, () => call("pruneNow")),
      statistics: () => readerThread.call("statistics"),
    },
    onHint: (listener) => void listeners.push(listener),
    advanceClock: async (ms) => {
      await call("advance", ms);
      await readerThread.call("advance", ms);
    },
    close: closeAll,
  };
}

/** A single writer is in order by itself. */
async function takeNumbers(trx: Kysely<Tables>, count: number): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    with recursive counter(i) as (select 1 union all select i + 1 from counter where i < ${count})
    select mh_next() as n from counter`.execute(trx);
  return rows.map((row) => Number(row.n)).sort((a, b) => a - b);
}

/** The reading thread takes some hundredths of a second for them. */
const COUNTS_AT_ONCE = 20_000;

/** Of each table. Reports wait for such a step, and the next one follows at once. Larger steps delete no more in a second. */
const PRUNED_AT_ONCE = 200;

/** An open read keeps the log from being emptied; most end soon. */
const TRIES = 10;
const WAIT_MS = 200;

/**
 * The connection overwrites freed content in pages that it writes anyway (`fast`). This also overwrites pages that
 * become free as a whole, which would keep their content until they are used again.
 */
async function overwriting<T>(trx: Transaction<Tables>, work: () => Promise<T>): Promise<T> {
  await sql`pragma secure_delete = on`.execute(trx);
  try {
    return await work();
  } finally {
    await sql`pragma secure_delete = fast`.execute(trx);
  }
}

/** At most two rounds of them, see `new-keys.ts`: one statement takes a fraction of a second. */
async function eraseNewKeys(db: Kysely<Tables>): Promise<void> {
  await sql`update new_keys set body_hash = x'' where body_hash <> x''
    and event_seq in (select seq from events where erased_at is not null and seq = new_keys.event_seq)`.execute(
    db,
  );
}

/** `cut`: by the writer, alone, so that no transaction is open. */
async function emptyLog(cut: () => Promise<boolean>, writerLock: WriterLock): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const release = await writerLock.takeAlone();
    try {
      if (await cut()) return;
    } finally {
      release();
    }
    await setTimeout(WAIT_MS);
  }
}
