import { Worker } from "node:worker_threads";
import { MarkethookError } from "@markethook/protocol";
import { OwnerChangeNeeded } from "../hot/accept.ts";
import { LeaseLostError } from "../port/instances.ts";
import { isDiskFull } from "./transient-fault.ts";
import type { Operations } from "./operations.ts";

/**
 * Size of a thread's young generation. With 8 MiB, collecting took a twelfth of the writing thread's time, because
 * messages under way outlived each collection. With 16, batches take 4 % less CPU time and 10 MiB more. With 24 and 48,
 * rates are higher still, but 100,000 webhooks take 400 and 407 MiB.
 */
const YOUNG_MB = 16;

type Result<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;

export interface WorkerSettings {
  path: string;
  /** For the reading thread: the clock of the writing one. Null: this is the writing thread. */
  reader: { clockBase: number } | null;
  baseUrl: string;
}

export interface WorkerRequest {
  id: number;
  operation: string;
  parameters: unknown[];
}

export interface WorkerReply {
  id: number;
  value?: unknown;
  error?: { name: string; message: string; extra?: Record<string, unknown> };
}

/**
 * Calls operations of a worker thread; one call, one message, one promise. A thread that ends by itself is an uncaught
 * fault of the process.
 */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #ready: Promise<unknown>;
  readonly #exited: Promise<void>;
  #nextId = 1;
  #failure: Error | null = null;
  #isReady = false;
  #isClosing = false;

  constructor(settings: WorkerSettings) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#ready = new Promise((resolve, reject) => this.#open.set(0, { resolve, reject }));
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("message", (reply: WorkerReply) => this.#settle(reply));
    this.#worker.on("error", (error) =>
      this.#fail(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on("exit", () => {
      this.#fail(
        new MarkethookError("store_unavailable", { detail: "The database thread has ended." }),
      );
      // As for want of memory. Without the thread no call would ever work again. So the process ends, and its supervisor
      // starts it again.
      if (this.#isReady && !this.#isClosing) throw this.#failure;
    });
  }

  async ready(): Promise<void> {
    await this.#ready;
    this.#isReady = true;
  }

  call<Name extends keyof Operations>(
    operation: Name,
    ...parameters: Parameters<Operations[Name]>
  ): Promise<Result<Name>> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#worker.postMessage({ id, operation, parameters });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#failure === null)
      this.#worker.postMessage({ id: -1, operation: "close", parameters: [] });
    await this.#exited;
  }

  #settle(reply: WorkerReply): void {
    const call = this.#open.get(reply.id);
    this.#open.delete(reply.id);
    if (reply.error === undefined) call?.resolve(reply.value);
    else call?.reject(revive(reply.error));
  }

  #fail(error: Error): void {
    this.#failure ??= revive({ name: error.name, message: error.message, extra: { ...error } });
    for (const call of this.#open.values()) call.reject(this.#failure);
    this.#open.clear();
  }
}

/** The part of a thread that the store uses. */
export type OperationCaller = Pick<WorkerClient, "call">;

/** Errors lose their class between threads. Their members come as the thread's error had them. */
export function revive(error: NonNullable<WorkerReply["error"]>): Error {
  const extra = error.extra ?? {};
  if (error.name === "LeaseLostError") return new LeaseLostError(0);
  if (error.name === "OwnerChangeNeeded") {
    return new OwnerChangeNeeded(extra["resource"] as OwnerChangeNeeded["resource"]);
  }
  if (error.name === "MarkethookError") {
    return new MarkethookError(
      extra["code"] as MarkethookError["code"],
      extra["detail"] as MarkethookError["detail"],
    );
  }
  const revived = Object.assign(new Error(error.message), extra, { name: error.name });
  const detail = `SQLite: ${error.message}.`;
  if (isDiskFull(revived)) return new MarkethookError("storage_full", { detail, cause: revived });
  if (extra["code"] === "ERR_SQLITE_ERROR") {
    return new MarkethookError("store_unavailable", { detail, cause: revived });
  }
  return revived;
}
