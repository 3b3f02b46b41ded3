import { Worker } from "node:worker_threads";
import type { RenderedRequest } from "@markethook/protocol";
import { bareHost } from "../../guard/url-rules.ts";
import { mayWrite, type RequestOwner } from "../exchange.ts";
import { NOT_SENT, type SendResult } from "../send-result.ts";
import { endSigned, type SignedOwner } from "../signed-exchange.ts";
import type { UnsignedRequest } from "../signed-request.ts";
import { SocketCount } from "../socket-count.ts";
import {
  type FromThread,
  packOrder,
  type Reachable,
  type ThreadSettings,
  type ToThread,
  unpackEnd,
} from "./messages.ts";
import { QUEUED, Slots, WRITTEN } from "./slots.ts";

/** Its name for debuggers. */
const SENDER_THREAD = "markethook-sender";
/** Nearly all garbage is young, because an exchange leaves nothing after its answer. */
const YOUNG_MB = 16;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5000;
/** If a thread lived for this long, the next one starts after the first wait again. */
const HEALTHY_MS = 60_000;
const LOOK_MS = 1000;
/** Time after a request's deadline. The thread keeps the deadline itself unless it hangs. */
const GRACE_MS = 10_000;
const ADDRESSES_PER_ORIGIN = 16;
const MOST_ORIGINS = 10_000;

/** A sender thread ended although nobody stopped it. */
export interface ThreadEnd {
  error: Error;
  open: number;
  /** Number of these that the thread had begun; they become suspects. The others are handed to the next thread. */
  begun: number;
  /** Number of these that may have been sent. */
  written: number;
  /** Until the next thread is started. */
  waitMs: number;
}

export interface ThreadOptions {
  settings: Omit<ThreadSettings, "progress">;
  now: () => number;
  /** Until the next thread is started, after many ends; default 5,000. For tests. */
  longestWaitMs?: number;
  died?(end: ThreadEnd): void;
  started?(worker: Worker): void;
  /** Called when a name leads the thread only to addresses to which its request may not go. */
  ledElsewhere?(host: string, addresses: readonly string[]): void;
}

/** A request that is made already, or one that the thread is to sign. */
export type Job =
  | { kind: "send"; request: RenderedRequest; owner: RequestOwner }
  | { kind: "sign"; request: UnsignedRequest; owner: SignedOwner };

interface Open {
  job: Job;
  origin: string;
  /** When it has waited too long even for a thread that hangs. */
  deadline: number;
}

/**
 * The main thread's side of one sender thread: its open requests, and their fate when the thread ends.
 *
 * not begun, as shared memory tells -> handed to the next thread
 * begun                             -> ended as `sender_lost`, sent or not: its delivery becomes a suspect
 */
export class SenderThread {
  readonly #options: ThreadOptions;
  readonly #sockets: SocketCount;
  /** Addresses of earlier requests by origin; they are judged before the thread asks. */
  readonly #addresses = new Map<string, Set<string>>();
  readonly #look: NodeJS.Timeout;
  #worker: Worker | null = null;
  /** Reason to tell if the thread ends. */
  #fault = new Error();
  #open = new Map<number, Open>();
  /** Belongs to this thread alone: one that ended may have been about to write into its own. */
  #slots = new Slots();
  /** Requests that are not handed over yet. */
  #unsent: number[] = [];
  #answers: Reachable[] = [];
  #startedAt = -Infinity;
  #waitMs = FIRST_WAIT_MS;
  #restart: NodeJS.Timeout | undefined;
  #lookedAt: number;
  #patientUntil = -Infinity;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#sockets = new SocketCount(options.settings.sockets, options.settings.index);
    this.#lookedAt = options.now();
    this.#look = setInterval(() => this.#lookForOverdue(), LOOK_MS).unref();
    this.#begin();
  }

  get running(): boolean {
    return this.#worker !== null;
  }

  start(job: Job, origin: string): void {
    if (this.#closed) {
      end(job, { ...NOT_SENT, category: "stopped", detail: "the sender is closed" });
      return;
    }
    // Without an instance, shared memory does not say whether it may write.
    if (job.owner.instanceNo === undefined && !mayWrite(job.owner)) {
      end(job, { ...NOT_SENT, category: "lease_lost" });
      return;
    }
    const { now, settings } = this.#options;
    this.#put({ job, origin, deadline: now() + settings.attemptTimeoutMs + GRACE_MS });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#restart);
    clearInterval(this.#look);
    const [open, slots] = [this.#open, this.#slots];
    this.#forgetAll();
    void this.#worker?.terminate();
    this.#worker = null;
    for (const [slot, { job }] of open) {
      const sent = slots.progress(slot) === WRITTEN;
      end(job, { ...NOT_SENT, category: "stopped", detail: "the sender was closed", sent });
    }
  }

  #forgetAll(): void {
    this.#open = new Map();
    this.#slots = new Slots();
    this.#unsent = [];
    this.#answers = [];
  }

  #begin(): void {
    const { settings, now, started } = this.#options;
    this.#startedAt = now();
    const worker = new Worker(new URL("./sender-thread.ts", import.meta.url), {
      name: SENDER_THREAD,
      workerData: { ...settings, progress: this.#slots.memory } satisfies ThreadSettings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#fault = new Error("the thread ended by itself");
    this.#worker = worker;
    worker.on("message", (messages: FromThread[]) => {
      if (this.#worker === worker) for (const message of messages) this.#hear(message);
    });
    worker.on("error", (error) => {
      this.#fault = error instanceof Error ? error : new Error(String(error));
    });
    // By then all its messages have been handled, and none of its work goes on.
    worker.once("exit", () => {
      if (this.#worker === worker) this.#died(this.#fault);
    });
    started?.(worker);
    this.#keepAlive();
    this.#flush();
  }

  /** Open requests keep the process alive, as sockets do; the thread alone does not. */
  #keepAlive(): void {
    if (this.#open.size > 0) this.#worker?.ref();
    else this.#worker?.unref();
  }

  #put(one: Open): void {
    const slot = this.#slots.take();
    this.#open.set(slot, one);
    if (this.#open.size === 1) this.#keepAlive();
    this.#flushSoon();
    this.#unsent.push(slot);
  }

  #flushSoon(): void {
    if (this.#unsent.length + this.#answers.length === 0) setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#worker === null || this.#unsent.length + this.#answers.length === 0) return;
    const orders = this.#unsent.flatMap((slot) => {
      const one = this.#open.get(slot);
      return one === undefined ? [] : [this.#orderOf(slot, one)];
    });
    this.#worker.postMessage([...this.#answers, ...orders]);
    this.#unsent = [];
    this.#answers = [];
  }

  #orderOf(slot: number, { job, origin }: Open): ToThread {
    const { owner } = job;
    const known = [...(this.#addresses.get(origin) ?? [])];
    const rights = {
      slot,
      party: owner.party ?? "",
      instanceNo: owner.instanceNo ?? null,
      reachable:
        owner.mayReach === undefined ? null : known.filter((address) => mayReach(owner, address)),
    };
    return job.kind === "send"
      ? { kind: "send", request: job.request, ...rights }
      : packOrder(rights, job.request);
  }

  #hear(message: FromThread): void {
    if (!("kind" in message)) {
      const { slot, result, detail } = unpackEnd(message);
      const job = this.#take(slot);
      if (job?.kind === "sign") job.owner.ended(result, detail);
      return;
    }
    if (message.kind === "question") {
      this.#answer(message.slot, message.addresses);
      return;
    }
    const job = this.#take(message.slot);
    if (message.kind === "failed" && job?.kind === "sign") job.owner.failed(message.error);
    if (message.kind === "ended" && job?.kind === "send") {
      const { result } = message;
      job.owner.ended({ ...result, body: Buffer.from(result.body, "latin1") });
    }
  }

  /** Takes a request that ended out of the open ones. */
  #take(slot: number): Job | undefined {
    const one = this.#open.get(slot);
    if (one === undefined) return undefined;
    this.#open.delete(slot);
    this.#slots.free(slot);
    if (this.#open.size === 0) this.#keepAlive();
    return one.job;
  }

  #answer(slot: number, asked: readonly string[]): void {
    const one = this.#open.get(slot);
    if (one === undefined) return;
    const addresses = asked.filter((address) => mayReach(one.job.owner, address));
    for (const address of asked) this.#remember(one.origin, address);
    if (addresses.length === 0) {
      this.#options.ledElsewhere?.(bareHost(new URL(one.origin)), asked);
    }
    this.#flushSoon();
    this.#answers.push({ kind: "reachable", slot, addresses });
  }

  #remember(origin: string, address: string): void {
    const known = this.#addresses.get(origin) ?? new Set();
    if (known.size >= ADDRESSES_PER_ORIGIN) known.clear();
    if (this.#addresses.size >= MOST_ORIGINS) this.#addresses.clear();
    this.#addresses.set(origin, known.add(address));
  }

  #died(error: Error): void {
    const { now, died, longestWaitMs = LONGEST_WAIT_MS } = this.#options;
    const [open, slots] = [this.#open, this.#slots];
    this.#worker = null;
    this.#forgetAll();
    this.#sockets.reset();
    if (now() - this.#startedAt > HEALTHY_MS) this.#waitMs = FIRST_WAIT_MS;
    const waitMs = this.#waitMs;
    this.#restart = setTimeout(() => this.#begin(), waitMs);
    this.#waitMs = Math.min(waitMs * 2, longestWaitMs);
    const begun = [...open].filter(([slot]) => slots.progress(slot) !== QUEUED);
    const written = begun.filter(([slot]) => slots.progress(slot) === WRITTEN);
    died?.({ error, open: open.size, begun: begun.length, written: written.length, waitMs });
    for (const [slot, one] of open) if (slots.progress(slot) === QUEUED) this.#put(one);
    for (const [slot, { job }] of begun) {
      const sent = slots.progress(slot) === WRITTEN;
      end(job, { ...NOT_SENT, category: "sender_lost", detail: error.message, sent });
    }
  }

  /** The thread keeps deadlines itself. If it does not, it hangs, or cannot be started. */
  #lookForOverdue(): void {
    const { now, settings } = this.#options;
    const at = now();
    // The whole process was paused: the thread goes on only now.
    if (at - this.#lookedAt > GRACE_MS / 2) this.#patientUntil = at + GRACE_MS;
    this.#lookedAt = at;
    if (at < this.#patientUntil) return;
    const overdue = [...this.#open].filter(([, { deadline }]) => at >= deadline);
    if (overdue.length === 0) return;
    if (this.#worker !== null) {
      // Those that the thread before had not begun have their whole time in this one.
      if (at - this.#startedAt >= settings.attemptTimeoutMs + GRACE_MS) {
        this.#fault = new Error(
          "the thread hung and was ended: it did not keep the time limit of a request",
        );
        void this.#worker.terminate();
      }
      return;
    }
    for (const [slot, { job }] of overdue) {
      this.#open.delete(slot);
      this.#slots.free(slot);
      end(job, { ...NOT_SENT, category: "stopped", detail: "no thread could be started" });
    }
  }
}

/** Ends a request that the thread did not end. */
function end(job: Job, result: SendResult): void {
  if (job.kind === "send") job.owner.ended(result);
  else endSigned(job.request, job.owner, result);
}

function mayReach(owner: Job["owner"], address: string): boolean {
  return owner.mayReach === undefined || owner.mayReach(address);
}
