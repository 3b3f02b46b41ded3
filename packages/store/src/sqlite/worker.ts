import { parentPort, workerData } from "node:worker_threads";
import { Connection } from "./connection.ts";
import { createOperations } from "./operations.ts";
import { isDiskFull } from "./transient-fault.ts";
import { migrate } from "./migrate.ts";
import type { WorkerRequest, WorkerSettings, WorkerReply } from "./worker-client.ts";

/**
 * The thread of one connection: it keeps commits, checkpoints and slow disks off the event loop. It handles messages
 * strictly one after the other, and sends an answer after its commit.
 */
const settings = workerData as WorkerSettings; // Passed by worker-client.ts with this type.
const port = parentPort;
if (port === null) throw new Error("worker.ts runs as a worker thread only");

/** The machine's monotonic clock, which is equal in all threads; `performance.now` counts from a thread's own start. */
const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1e6;

const { reader } = settings;
const db = new Connection(settings.path, Date.now, monotonicNow, reader);
if (reader === null) {
  migrate(db);
  db.loadCounters();
}
const operations = createOperations(db, { baseUrl: settings.baseUrl });

/** Operations of the hot path: transactions of one message each. */
const GROUPED: ReadonlySet<string> = new Set(["accept", "claim", "settle", "addAttemptCounts"]);

/** Messages of one turn of the event loop, handled in this order. */
let waiting: WorkerRequest[] = [];

port.on("message", (request: WorkerRequest) => {
  waiting.push(request);
  if (waiting.length === 1) setImmediate(serveInTurn);
});
port.postMessage({ id: 0, value: null } satisfies WorkerReply);

let serving: Promise<void> = Promise.resolve();

/** A turn's messages begin only after those of the turn before have ended. */
function serveInTurn(): void {
  serving = serving.then(serveWaiting);
}

/** Neighbouring transactions in the queue share one commit, because the flush costs more than they do. */
async function serveWaiting(): Promise<void> {
  const requests = waiting;
  waiting = [];
  let group: WorkerRequest[] = [];
  for (const request of requests) {
    if (GROUPED.has(request.operation)) {
      group.push(request);
      continue;
    }
    await serveGroup(group);
    group = [];
    if (request.operation === "close") close();
    else port?.postMessage(await answer(request));
  }
  await serveGroup(group);
}

async function serveGroup(requests: readonly WorkerRequest[]): Promise<void> {
  let replies: WorkerReply[] = [];
  try {
    if (requests.length > 1) await db.group(async () => void (replies = await answers(requests)));
    else replies = await answers(requests);
  } catch (error) {
    replies = requests.map(({ id }) => ({ id, error: describe(error) }));
  }
  for (const reply of replies) port?.postMessage(reply);
}

async function answers(requests: readonly WorkerRequest[]): Promise<WorkerReply[]> {
  const replies: WorkerReply[] = [];
  for (const request of requests) replies.push(await answer(request));
  return replies;
}

async function answer({ id, operation, parameters }: WorkerRequest): Promise<WorkerReply> {
  try {
    // The name and its parameters were paired by the types of worker-client.ts.
    const run = operations[operation as keyof typeof operations] as (
      ...values: unknown[]
    ) => unknown;
    return { id, value: await run(...parameters) };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

function close(): void {
  db.close();
  port?.close();
}

function describe(error: unknown): NonNullable<WorkerReply["error"]> {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const extra: Record<string, unknown> = { ...error };
  const table = isDiskFull(error) ? tableWithoutNumbers() : null;
  const message =
    table === null
      ? error.message
      : `the table ${table} has a row with the largest number that there is, so none can be added`;
  return {
    name: error.name,
    message,
    extra: table === null ? extra : { ...extra, errcode: ERROR },
  };
}

/** SQLite's code for a fault of the statement. */
const ERROR = 1;

/** SQLite says that the disk is full also where a table that counts its rows itself has the largest number. */
function tableWithoutNumbers(): string | null {
  try {
    const row = db.get("select name from sqlite_sequence where seq = 9223372036854775807 limit 1");
    return row === undefined ? null : String(row["name"]);
  } catch {
    // The disk is full indeed, or broken. A fault here would end the thread, and the process.
    return null;
  }
}
