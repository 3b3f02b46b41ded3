import { parentPort, workerData } from "node:worker_threads";
import { Connection } from "./connection.ts";
import { createOperations } from "./operations.ts";
import { migrate } from "./migrate.ts";
import type { WorkerRequest, WorkerSettings, WorkerReply } from "./worker-messages.ts";

/**
 * The thread that owns one connection: commits, checkpoints and slow disks stay off the event loop. Messages are
 * handled strictly one after the other.
 */
const settings = workerData as WorkerSettings; // Passed by worker-client.ts with this type.
const port = parentPort;
if (port === null) throw new Error("worker.ts runs as a worker thread only");

const db = new Connection(settings.path, Date.now, () => performance.now(), settings.readOnly);
if (!settings.readOnly) migrate(db);
// The reader too: its clock must not be behind the writer's.
db.loadCounters();
const operations = createOperations(db, { baseUrl: settings.baseUrl });

port.on("message", (request: WorkerRequest) => {
  if (request.operation === "close") {
    db.close();
    port.close();
    return;
  }
  void answer(request);
});
port.postMessage({ id: 0, value: null } satisfies WorkerReply);

async function answer({ id, operation, parameters }: WorkerRequest): Promise<void> {
  try {
    // The name and its parameters were paired by the types of worker-client.ts.
    const run = operations[operation as keyof typeof operations] as (
      ...values: unknown[]
    ) => unknown;
    port?.postMessage({ id, value: await run(...parameters) } satisfies WorkerReply);
  } catch (error) {
    port?.postMessage({ id, error: describe(error) } satisfies WorkerReply);
  }
}

function describe(error: unknown): NonNullable<WorkerReply["error"]> {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const extra: Record<string, unknown> = { ...error };
  return { name: error.name, message: error.message, extra };
}
