import { MarkethookError } from "@markethook/protocol";
import type { InstanceStore } from "@markethook/store";
import { mostClockJumpMs, type RightToWrite } from "../send/threads/right-to-write.ts";
import type { Observer } from "../wiring/observer.ts";
import { repeat } from "./repeat.ts";

export interface HeartbeatOptions {
  instances: InstanceStore;
  name: string;
  version: string;
  leaseMs: number;
  now: () => number;
  wallNow: () => number;
  observer: Observer;
  /** Called when an instance is lost: everything leased to it must be dropped. */
  onLost(instanceNo: number): void;
  onStarted(instanceNo: number): void;
  /** The answer of `mayWrite` in memory that sender threads read. Null: the sender has no threads. */
  right: Pick<RightToWrite, "moment" | "grant" | "withdraw"> | null;
  /** Called when a heartbeat was confirmed: deliveries that waited for the right to write may go on. */
  onConfirmed(): void;
  /** Whether most webhooks cannot be connected to from here. */
  networkSuspected(): boolean;
}

/**
 * This process's right to send.
 *
 * starting --row inserted--> alive --heartbeat every quarter lease--> alive
 * alive --no heartbeat confirmed for three quarters of a lease--> may not dial (may again after the next one)
 * alive --a heartbeat changes no row, or the clocks disagree--> lost: everything held is dropped --> starting
 * alive --stop--> ended: what is still held is given back
 *
 * The right to write ends before others may judge this instance dead, and is checked at the moment of writing. A
 * process that was stopped and wakes up finds that it has lost the right.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #beatMs: number;
  readonly #writeMs: number;
  #instanceNo: number | null = null;
  /** An instance of this process that ended or was given up while the process went on. */
  #survived: number | null = null;
  /** When the last confirmed heartbeat was sent. */
  #confirmedAt = -Infinity;
  #clockGap: number;
  #stopped = false;
  #endBeats = async (): Promise<void> => undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#beatMs = options.leaseMs / 4;
    this.#writeMs = (options.leaseMs * 3) / 4;
    this.#clockGap = options.wallNow() - options.now();
  }

  current(): number | null {
    return this.#instanceNo;
  }

  mayWrite(instanceNo: number): boolean {
    if (instanceNo !== this.#instanceNo) return false;
    // The monotonic clock stands still while a machine sleeps, so it alone is not enough.
    return this.#options.now() - this.#confirmedAt < this.#writeMs && !this.#clocksParted();
  }

  async start(): Promise<void> {
    await this.#begin();
    if (!this.#stopped) this.#endBeats = repeat(this.#beatMs, () => this.#beat());
  }

  /** Ends the instance; returns how many deliveries were given back. */
  async stop(): Promise<number> {
    this.#stopped = true;
    await this.#endBeats();
    if (this.#instanceNo === null) return 0;
    const ending = this.#instanceNo;
    this.#instanceNo = null;
    this.#options.right?.withdraw();
    return await this.#options.instances.end(ending);
  }

  #clocksParted(): boolean {
    const { now, wallNow } = this.#options;
    return Math.abs(wallNow() - now() - this.#clockGap) > mostClockJumpMs(this.#writeMs);
  }

  /** Call before a heartbeat is sent, and call the returned function once it is confirmed. */
  #sending(): { sentAt: number; confirmed(of: number): void } {
    const { now, right } = this.#options;
    const sentAt = now();
    const moment = right?.moment();
    return {
      sentAt,
      confirmed: (of) => {
        this.#confirmedAt = sentAt;
        if (moment !== undefined) right?.grant(of, moment, this.#writeMs);
      },
    };
  }

  async #begin(): Promise<void> {
    const { instances, name, version, wallNow, observer } = this.#options;
    const { sentAt, confirmed } = this.#sending();
    this.#clockGap = wallNow() - sentAt;
    const started = await this.#inTime(instances.start(name, version, this.#survived));
    this.#instanceNo = started.instanceNo;
    this.#survived = null;
    confirmed(this.#instanceNo);
    observer.instanceStarted(this.#instanceNo);
    if (started.givenBack !== null && started.givenBack.rescued > 0) {
      observer.rescued(started.givenBack);
    }
    this.#options.onStarted(this.#instanceNo);
  }

  #lose(why: string): void {
    if (this.#instanceNo === null) return;
    const lost = this.#instanceNo;
    this.#survived = lost;
    this.#instanceNo = null;
    this.#confirmedAt = -Infinity;
    this.#options.right?.withdraw();
    this.#options.observer.instanceLost(lost, why);
    this.#options.onLost(lost);
  }

  /** Returns how long to wait before the next one. */
  async #beat(): Promise<number> {
    await this.#renew().catch((error: unknown) => this.#options.observer.fault("heartbeat", error));
    return this.#beatMs;
  }

  async #renew(): Promise<void> {
    const { instances, now, wallNow, networkSuspected } = this.#options;
    if (this.#clocksParted()) this.#lose("the clocks jumped apart");
    this.#clockGap = wallNow() - now();
    if (this.#instanceNo !== null) {
      const { confirmed } = this.#sending();
      if (await this.#inTime(instances.renew(this.#instanceNo, networkSuspected()))) {
        confirmed(this.#instanceNo);
        this.#options.onConfirmed();
        return;
      }
      this.#lose("others ended it");
    }
    await this.#begin();
  }

  /** A connection that died silently must not stop the heartbeats: the next one tries again. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { leaseMs } = this.#options;
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const detail = `The database has not answered within ${leaseMs / 1000} s.`;
      limit = setTimeout(() => reject(new MarkethookError("outcome_unknown", { detail })), leaseMs);
    });
    work.catch(() => undefined);
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(limit);
    }
  }
}
