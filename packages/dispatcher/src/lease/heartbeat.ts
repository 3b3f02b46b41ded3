import type { InstanceStore } from "@markethook/store";
import { mostClockJumpMs, type RightToWrite } from "../send/threads/right-to-write.ts";
import type { Observer } from "../wiring/observer.ts";

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
export interface Heartbeat {
  /** The current instance number; null while there is none. */
  current(): number | null;
  /** May a request of this instance be written now? */
  mayWrite(instanceNo: number): boolean;
  start(): Promise<void>;
  /** Ends the instance; returns how many deliveries were given back. */
  stop(): Promise<number>;
}

export interface HeartbeatOptions {
  instances: InstanceStore;
  name: string;
  version: string;
  leaseMs: number;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Unix milliseconds. */
  wallNow: () => number;
  observer: Observer;
  /** Called when an instance is lost: everything leased to it must be dropped. */
  onLost(instanceNo: number): void;
  /** Called when a new instance has started. */
  onStarted(instanceNo: number): void;
  /** The answer of `mayWrite` in memory that sender threads read. Null: the sender has no threads. */
  right: Pick<RightToWrite, "moment" | "grant" | "withdraw"> | null;
  /** Called when a heartbeat was confirmed: deliveries that waited for the right to write may go on. */
  onConfirmed(): void;
}

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { instances, leaseMs, now, wallNow, observer } = options;
  const beatMs = leaseMs / 4;
  const writeMs = (leaseMs * 3) / 4;
  let instanceNo: number | null = null;
  /** An instance of this process that ended or was given up while the process went on. */
  let survived: number | null = null;
  /** When the last confirmed heartbeat was sent. */
  let confirmedAt = -Infinity;
  let clockGap = wallNow() - now();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let beating: Promise<void> = Promise.resolve();

  function clocksParted(): boolean {
    return Math.abs(wallNow() - now() - clockGap) > mostClockJumpMs(writeMs);
  }

  /** Call before a heartbeat is sent, and call the returned function once it is confirmed. */
  function sending(): { sentAt: number; confirmed(of: number): void } {
    const sentAt = now();
    const moment = options.right?.moment();
    return {
      sentAt,
      confirmed(of) {
        confirmedAt = sentAt;
        if (moment !== undefined) options.right?.grant(of, moment, writeMs);
      },
    };
  }

  async function begin(): Promise<void> {
    const { sentAt, confirmed } = sending();
    clockGap = wallNow() - sentAt;
    const started = await inTime(instances.start(options.name, options.version, survived));
    instanceNo = started.instanceNo;
    survived = null;
    confirmed(instanceNo);
    observer.instanceStarted(instanceNo);
    if (started.givenBack !== null && started.givenBack.rescued > 0) {
      observer.rescued(started.givenBack);
    }
    options.onStarted(instanceNo);
  }

  function lose(why: string): void {
    if (instanceNo === null) return;
    const lost = instanceNo;
    survived = lost;
    instanceNo = null;
    confirmedAt = -Infinity;
    options.right?.withdraw();
    observer.instanceLost(lost, why);
    options.onLost(lost);
  }

  async function beat(): Promise<void> {
    try {
      if (clocksParted()) lose("the clocks jumped apart");
      clockGap = wallNow() - now();
      if (instanceNo === null) {
        await begin();
        return;
      }
      const { confirmed } = sending();
      const renewed = await inTime(instances.renew(instanceNo));
      if (!renewed) {
        lose("others ended it");
        await begin();
        return;
      }
      confirmed(instanceNo);
      options.onConfirmed();
    } catch (error) {
      observer.fault("heartbeat", error);
    }
  }

  /** A connection that died silently must not stop the heartbeats: the next one tries again. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(new Error(`no answer within ${leaseMs} ms`)), leaseMs);
    });
    work.catch(() => undefined);
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(limit);
    }
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      beating = beat().finally(schedule);
    }, beatMs);
  }

  return {
    current: () => instanceNo,
    // The monotonic clock stands still while a machine sleeps, so it alone is not enough.
    mayWrite: (of) => of === instanceNo && now() - confirmedAt < writeMs && !clocksParted(),
    async start() {
      await begin();
      schedule();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await beating;
      if (instanceNo === null) return 0;
      const ending = instanceNo;
      instanceNo = null;
      options.right?.withdraw();
      return await instances.end(ending);
    },
  };
}
