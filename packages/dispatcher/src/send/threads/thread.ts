import { Worker } from "node:worker_threads";
import type { RenderedRequest } from "@markethook/protocol";
import type { RequestOwner } from "../exchange.ts";
import { type FailureCategory, NOT_SENT } from "../send-result.ts";
import type { FromThread, ThreadSettings, ToThread } from "./messages.ts";

/** Its garbage is young: what an exchange leaves is gone with its answer. */
const YOUNG_MB = 16;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5000;
/** A thread that lived for so long starts again at once. */
const HEALTHY_MS = 60_000;
const LOOK_MS = 1000;
/** Beyond a request's deadline, which the thread keeps itself unless it hangs. */
const GRACE_MS = 10_000;
/** A request that was there at so many ends of its thread, not yet written, is not tried again. */
const MOST_DEATHS = 2;
const SLOTS = 1024;
const MOST_SLOTS = 1_048_576;
const ADDRESSES_PER_HOST = 16;
const MOST_HOSTS = 10_000;

export interface ThreadOptions {
  settings: Omit<ThreadSettings, "written" | "sockets">;
  /** Monotonic milliseconds. */
  now: () => number;
  /** The thread ended although nobody stopped it. */
  died?(error: Error): void;
  started?(worker: Worker): void;
}

interface Open {
  request: RenderedRequest;
  owner: RequestOwner;
  host: string;
  deadline: number;
  deaths: number;
}

/**
 * The main thread's side of one thread: what is open there, and what becomes of it when the thread ends.
 *
 * written, as far as shared memory tells -> ended as sent, without an answer
 * not written, at its first end          -> handed to the next thread
 * not written, at its second             -> ended as not sent: it may be what ends the threads
 */
export class SenderThread {
  readonly #options: ThreadOptions;
  readonly #open = new Map<number, Open>();
  readonly #sockets = new SharedArrayBuffer(4);
  /** By host, where requests have gone: the addresses about which is decided before anybody asks. */
  readonly #addresses = new Map<string, Set<string>>();
  #worker: Worker | null = null;
  #memory = new SharedArrayBuffer(0);
  #written = new Uint8Array(this.#memory);
  #free: number[] = [];
  #orders: ToThread[] = [];
  #startedAt = -Infinity;
  #waitMs = FIRST_WAIT_MS;
  #restart: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#begin();
  }

  get openSockets(): number {
    return Atomics.load(new Int32Array(this.#sockets), 0);
  }

  start(request: RenderedRequest, owner: RequestOwner): void {
    if (this.#closed) {
      owner.ended({ ...NOT_SENT, category: "stopped", detail: "the sender is closed" });
      return;
    }
    // Without an instance there is no word that the thread could read.
    if (owner.instanceNo === undefined && !asks(owner)) {
      owner.ended({ ...NOT_SENT, category: "lease_lost" });
      return;
    }
    const host = new URL(request.url).host;
    const deadline = this.#options.now() + this.#options.settings.attemptTimeoutMs + GRACE_MS;
    this.#order({ request, owner, host, deadline, deaths: 0 });
    this.#look ??= setInterval(() => this.#lookForOverdue(), LOOK_MS).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#restart);
    if (this.#look !== null) clearInterval(this.#look);
    const open = [...this.#open];
    this.#open.clear();
    for (const [slot, one] of open) {
      end(one, Atomics.load(this.#written, slot) === 1, "stopped", "the sender was closed");
    }
    void this.#worker?.terminate();
    this.#worker = null;
  }

  /** A page of their own for each thread: one that ended may still have been about to write on its own. */
  #newPage(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(SLOTS, { maxByteLength: MOST_SLOTS });
    this.#memory = memory;
    this.#written = new Uint8Array(memory);
    this.#free = Array.from({ length: SLOTS }, (_, slot) => slot).toReversed();
    this.#orders = [];
    return memory;
  }

  #begin(): void {
    const memory = this.#newPage();
    this.#startedAt = this.#options.now();
    const { settings } = this.#options;
    const worker = new Worker(new URL("./sender-thread.ts", import.meta.url), {
      workerData: { ...settings, written: memory, sockets: this.#sockets } satisfies ThreadSettings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    let fault = new Error("the sender's thread ended");
    this.#worker = worker;
    worker.on("message", (messages: FromThread[]) => {
      if (this.#worker === worker) for (const message of messages) this.#hear(message);
    });
    worker.on(
      "error",
      (error) => (fault = error instanceof Error ? error : new Error(String(error))),
    );
    worker.once("exit", () => {
      if (this.#worker === worker) this.#died(fault);
    });
    // Requests keep the process alive by their owners, as sockets do.
    worker.unref();
    this.#options.started?.(worker);
  }

  #order(one: Open): void {
    const { request, owner, host } = one;
    const slot = this.#takeSlot();
    this.#open.set(slot, one);
    if (this.#open.size === 1) this.#worker?.ref();
    const known = [...(this.#addresses.get(host) ?? [])];
    this.#say({
      kind: "send",
      slot,
      url: request.url,
      head: request.head,
      body: request.body,
      method: request.method,
      party: owner.party ?? "",
      instanceNo: owner.instanceNo ?? null,
      reachable:
        owner.mayReach === undefined ? null : known.filter((address) => mayReach(owner, address)),
    });
  }

  #takeSlot(): number {
    let slot = this.#free.pop();
    if (slot === undefined) {
      // Twice as many: the view follows its memory.
      const from = this.#written.length;
      this.#memory.grow(from * 2);
      for (let more = from * 2 - 1; more > from; more -= 1) this.#free.push(more);
      slot = from;
    }
    Atomics.store(this.#written, slot, 0);
    return slot;
  }

  #say(message: ToThread): void {
    if (this.#orders.length === 0) setImmediate(() => this.#flush());
    this.#orders.push(message);
  }

  #flush(): void {
    if (this.#worker === null || this.#orders.length === 0) return;
    this.#worker.postMessage(this.#orders);
    this.#orders = [];
  }

  #hear(message: FromThread): void {
    const { slot } = message;
    const one = this.#open.get(slot);
    if (one === undefined) return;
    if (message.kind === "question") {
      const addresses = message.addresses.filter((address) => mayReach(one.owner, address));
      for (const address of message.addresses) this.#remember(one.host, address);
      this.#say({ kind: "reachable", slot, addresses });
      return;
    }
    this.#open.delete(slot);
    this.#free.push(slot);
    if (this.#open.size === 0) this.#worker?.unref();
    const { result } = message;
    one.owner.ended({ ...result, body: Buffer.from(result.body, "latin1") });
  }

  #remember(host: string, address: string): void {
    const known = this.#addresses.get(host) ?? new Set();
    if (known.size >= ADDRESSES_PER_HOST) known.clear();
    if (this.#addresses.size >= MOST_HOSTS) this.#addresses.clear();
    this.#addresses.set(host, known.add(address));
  }

  #died(error: Error): void {
    const { now } = this.#options;
    const written = this.#written;
    const open = [...this.#open];
    this.#worker = null;
    this.#open.clear();
    this.#newPage();
    Atomics.store(new Int32Array(this.#sockets), 0, 0);
    if (now() - this.#startedAt > HEALTHY_MS) this.#waitMs = FIRST_WAIT_MS;
    this.#options.died?.(error);
    for (const [slot, one] of open) {
      one.deaths += 1;
      const sent = Atomics.load(written, slot) === 1;
      if (sent || one.deaths >= MOST_DEATHS) end(one, sent, "connection_closed", error.message);
      else this.#order(one);
    }
    if (this.#closed) return;
    // What is ordered meanwhile is ordered again when the thread is there.
    this.#restart = setTimeout(() => {
      const waiting = [...this.#open.values()];
      this.#open.clear();
      this.#begin();
      for (const one of waiting) this.#order(one);
    }, this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  /** The thread keeps deadlines; when it does not, it hangs, and nothing in it goes on. */
  #lookForOverdue(): void {
    const at = this.#options.now();
    for (const { deadline } of this.#open.values()) {
      if (at < deadline) continue;
      void this.#worker?.terminate();
      return;
    }
  }
}

function asks(owner: RequestOwner): boolean {
  try {
    return owner.mayWrite();
  } catch {
    return false;
  }
}

function mayReach(owner: RequestOwner, address: string): boolean {
  return owner.mayReach === undefined || owner.mayReach(address);
}

function end({ owner }: Open, sent: boolean, category: FailureCategory, detail: string): void {
  owner.ended({ ...NOT_SENT, category, detail, sent });
}
