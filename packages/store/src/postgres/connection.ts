import type { EventEmitter } from "node:events";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { type ClientBase, DatabaseError, Pool, type PoolClient, type PoolConfig, types } from "pg";
import { MarkethookError } from "@markethook/protocol";
import { safeNumber } from "../hot/rows.ts";
import { withNothingStored } from "../nothing-stored.ts";
import { PreparedClient } from "./prepared-client.ts";
import { repeatUndone } from "./repeat-after-deadlock.ts";
import { ServerClient } from "./choose-server.ts";
import {
  BEGIN,
  BEGIN_BRIEF,
  BEGIN_POOLED,
  HOT_QUERY_MS,
  HOT_SESSION,
  WAITS,
} from "./session-settings.ts";
import { countConnections, takeClient } from "./take-client.ts";

const INT8 = 20;

/** Numbers stay under 2^53 by construction, so bigint columns are read as numbers. */
function poolConfig(url: string, max: number, applicationName: string): PoolConfig {
  return {
    Client: ServerClient,
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === INT8 ? safeNumber : types.getTypeParser(oid, format)) as typeof types.getTypeParser, // One of its overloads.
    },
  };
}

const HEARTBEAT_MS = 2000;
const SLOW_QUERY_MS = 30_000;
/** Time limit for figures that are soon read again. */
const BRIEF_QUERY_MS = 2000;

/** Several statements of one transaction are sent together: a batch costs three round trips, not ten. */
export function createHotPool(url: string, max: number, pooled: boolean): Pool {
  const config = {
    ...poolConfig(url, max, "markethook hot"),
    pipeline: true,
    query_timeout: HOT_QUERY_MS,
  };
  return pooled ? hearErrors(new Pool(config)) : createPreparedPool(config);
}

/**
 * One connection for heartbeats alone. It is given up if it does not answer, because a silent connection must not stop
 * the heartbeats for longer than one or two.
 */
export function createHeartPool(url: string): Pool {
  return createPreparedPool({
    ...poolConfig(url, 1, "markethook heart"),
    query_timeout: HEARTBEAT_MS,
    connectionTimeoutMillis: HEARTBEAT_MS,
    // The begin of a transaction is sent with its first statement.
    pipeline: true,
  });
}

/** Of connections to the server itself, past any pooler. */
function createPreparedPool(config: PoolConfig): Pool {
  return hearErrors(
    new Pool({ ...config, Client: PreparedClient, onConnect: firstStatement(HOT_SESSION) }),
  );
}

/** Run by a new connection before its first use. If it fails, the connection is closed. */
function firstStatement(settings: string): (client: ClientBase) => void {
  // The pool waits for the promise, which its types do not say.
  return (client): unknown => client.query(settings);
}

/**
 * For everything outside the hot path. The server ends a statement that takes too long, except behind a pooler, which
 * would keep that setting for other sessions. We end one whose answer does not come.
 */
export function createManagementPool(url: string, max: number, pooled: boolean): Pool {
  const settings = `set statement_timeout = ${SLOW_QUERY_MS}; set jit = off; ${WAITS}`;
  return hearErrors(
    new Pool({
      ...poolConfig(url, max, "markethook"),
      // Kept while idle: others may have taken all of the server's connections when it is needed next.
      min: 1,
      query_timeout: SLOW_QUERY_MS + 5000,
      ...(pooled ? {} : { onConnect: firstStatement(settings) }),
    }),
  );
}

/** The function of PostgreSQL that warns of a commit without its standby. The warning's words are in the server's language. */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/** Listens for that warning. `check` throws if it came: the commit must not be reported as done. */
function watchStandby(client: PoolClient): { check(): void; stop(): void } {
  let unreplicated = false;
  const onNotice = (notice: { routine?: string | undefined }): void => {
    if (notice.routine === WAIT_FOR_STANDBY) unreplicated = true;
  };
  client.on("notice", onNotice);
  return {
    check() {
      if (!unreplicated) return;
      const detail = "The standby did not confirm the commit.";
      throw new MarkethookError("outcome_unknown", { detail });
    },
    stop: () => void client.off("notice", onNotice),
  };
}

/** Of a statement whose transaction has failed before. */
const FAILED_BEFORE = "25P02";

/**
 * Statements that are sent together fail together, and those behind the first can be handled before it. Only the first
 * one's error has the cause, as that the disk is full.
 */
function watchFirstError(client: PoolClient): { cause(error: unknown): unknown; stop(): void } {
  const { connection } = client as unknown as { connection: EventEmitter }; // Not in the types.
  let first: unknown;
  const onError = (error: unknown): void => void (first ??= error);
  connection.on("errorMessage", onError);
  return {
    cause: (error) =>
      error instanceof DatabaseError && error.code === FAILED_BEFORE ? (first ?? error) : error,
    stop: () => void connection.off("errorMessage", onError),
  };
}

/** For Kysely: the same errors and time limit as the hot path's. */
export function mappingErrors(pool: Pool): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await takeClient(pool).catch(throwStoreError);
      let lost: Error | null = null;
      const standby = watchStandby(client);
      return {
        query: (async (text: string, values: readonly unknown[]) => {
          // Its answer is still to come, and later statements would wait behind it, a rollback too.
          if (lost !== null) throw storeError(lost);
          try {
            if (text === "begin") {
              await client.query(BEGIN_BRIEF);
              return { command: "BEGIN", rowCount: null, rows: [] };
            }
            const result = await client.query(text, [...values]);
            if (text === "commit") standby.check();
            return result;
          } catch (error) {
            // After a begin that failed in part, the session may be in a transaction that has failed.
            if (
              isTimeout(error) ||
              isOfSession(error) ||
              (text === "begin" && error instanceof Error)
            )
              lost = error;
            if (text !== "rollback") throw storeError(error);
            // Closing its connection rolls back, too. The error before it has the reason.
            lost = error instanceof Error ? error : new Error(String(error));
            return { command: "ROLLBACK", rowCount: null, rows: [] };
          }
        }) as unknown as PostgresPoolClient["query"], // The overload for cursors is not used.
        release() {
          standby.stop();
          client.release(lost ?? undefined);
        },
      };
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/**
 * A connection that breaks while idle is replaced at the next use; one that breaks at work fails its query. Both also
 * emit an event, which ends the process without a listener, and the pool listens only to idle ones.
 */
function hearErrors(pool: Pool): Pool {
  countConnections(pool);
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/**
 * Runs `work` in a transaction, and again if a deadlock undoes it. Statements that `work` adds to `last` are sent and not
 * awaited: the commit is sent with them, and commits nothing if one fails. A commit that the server did not confirm, or
 * confirmed without its synchronous standby, is an error: it must not become a 202.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient, last: Promise<unknown>[]) => Promise<T>,
): Promise<T> {
  return await repeatUndone(async () => await runOnce(pool, work));
}

async function runOnce<T>(
  pool: Pool,
  work: (client: PoolClient, last: Promise<unknown>[]) => Promise<T>,
): Promise<T> {
  const client = await takeClient(pool).catch((error: unknown) => {
    throw withNothingStored(storeError(error));
  });
  const standby = watchStandby(client);
  const errors = watchFirstError(client);
  let committing = false;
  const last: Promise<unknown>[] = [];
  let failure: unknown = null;
  try {
    const begun = client.query(isPrepared(pool) ? BEGIN : BEGIN_POOLED);
    // Statements sent behind it may have worked, each by itself. No write may follow them.
    begun.catch(() => void client.end());
    const result = await Promise.all([begun, work(client, last)]).then(([, value]) => value);
    committing = true;
    const [committed] = await Promise.all([client.query("commit"), ...last]);
    if (committed.command !== "COMMIT") throw new RolledBack();
    standby.check();
    return result;
  } catch (error) {
    failure = errors.cause(error);
    // They fail together with the first one, and an unhandled failure ends the process.
    void Promise.allSettled(last);
    const undone = !committing || wasRefused(failure);
    throw undone ? withNothingStored(storeError(failure)) : storeError(failure);
  } finally {
    standby.stop();
    errors.stop();
    if (failure === null) {
      client.release();
    } else if (isTimeout(failure)) {
      abandon(pool, client, failure);
    } else if (isOfSession(failure)) {
      client.release(failure);
    } else {
      await client.query("rollback").then(
        () => client.release(),
        (error: unknown) => client.release(error instanceof Error ? error : true),
      );
    }
  }
}

/** The server answered the commit with a rollback. */
class RolledBack extends Error {
  constructor() {
    super("the transaction was rolled back");
  }
}

/**
 * Answers to a commit that leave its outcome open: a server that is shut down while the commit waits for its standby, and
 * a pooler that has lost the server before the server's answer. PgBouncer reports that as 08P01, others as a system error.
 */
const OPEN_OUTCOME = /^(?:08|57|58)/;

export function wasRefused(error: unknown): boolean {
  if (error instanceof RolledBack) return true;
  return error instanceof DatabaseError && !OPEN_OUTCOME.test(error.code ?? "08");
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}

/**
 * A table or function that is not found. A session keeps the `search_path` that its role had when it began, for as long as
 * it is open. So one that fails like this may do so at each use, long after the role was set right.
 */
function isOfSession(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code?.startsWith("42") === true;
}

/**
 * Ends a session whose statement took too long: its connection may be dead, or its server slow. Otherwise each time
 * limit would leave a session behind on the server, until there are no connections left. Its committed changes stay;
 * the caller was told that the outcome is unknown.
 */
function abandon(pool: Pool, client: PoolClient, error: Error): void {
  const { processID } = client as unknown as { processID: number | null }; // Not in the types.
  client.release(error);
  // A pooler's process number is not the server's.
  if (!isPrepared(pool) || processID === null) return;
  readRows(pool, "select pg_terminate_backend($1)", [processID]).catch(() => undefined);
}

function isPrepared(pool: Pool): boolean {
  return pool.options.Client === PreparedClient;
}

/** Runs one statement outside of a transaction. */
export async function readRows(
  pool: Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return await onClient(pool, async (client) => {
    const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
    return rows;
  });
}

/** Like `readRows`, but the server ends it after two seconds, even behind a pooler. */
export async function readBriefly(
  pool: Pool,
  text: string,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  return await runBriefly(pool, ["begin read only", "commit"], BRIEF_QUERY_MS, text, values);
}

/** Runs one statement between these two. The server ends it after a time, even behind a pooler. */
export async function runBriefly(
  pool: Pool,
  [begin, end]: readonly [begin: string, end: string],
  limitMs: number,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return await onClient(pool, async (client) => {
    await client.query(`${begin}; set local statement_timeout = ${limitMs}`);
    const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
    await client.query(end);
    return rows;
  });
}

/** A connection whose work failed is closed, which also ends its transaction. */
async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await takeClient(pool).catch(throwStoreError);
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw storeError(error);
  } finally {
    client.release(failure);
  }
}

const PASSED = new Set(["MarkethookError", "LeaseLostError", "OwnerChangeNeeded", "HealthChanged"]);

/** Converts any failure of the database or of the connection to an error that answers 503. */
export function storeError(error: unknown): Error {
  if (error instanceof Error && PASSED.has(error.name)) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof DatabaseError && error.code === "53100") {
    return new MarkethookError("storage_full", { detail: "PostgreSQL: disk full.", cause: error });
  }
  return new MarkethookError("store_unavailable", {
    detail: `PostgreSQL: ${message}.${isUntrusted(error) ? AUTHORITY : ""}`,
    cause: error,
  });
}

function throwStoreError(error: unknown): never {
  throw storeError(error);
}

const AUTHORITY =
  " To trust the authority of its certificate, add sslrootcert=FILE to the database's URL.";
const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function isUntrusted(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNTRUSTED.has(String(error.code));
}
