import type { InstanceStore } from "@markethook/store";
import type { RightToWrite } from "../send/threads/right-to-write.ts";
import type { Observer } from "../wiring/observer.ts";

/**
 * This process's right to send.
 *
 * starting --row inserted--> alive --heartbeat every quarter lease--> alive
 * alive --no heartbeat confirmed for three quarters of a lease--> may not dial (may again after the next one)
 * alive --a heartbeat changes no row, or the clocks disagree--> lost: everything held is dropped --> starting
 * alive --stop--> ended: what is still held is given back
 *
 * The right to write ends before others may judge us dead, and is asked for at the moment of writing: a process
 * that was stopped and wakes up finds it gone.
 */
export interface Heartbeat {
  /** Null while none is held. */
  current(): number | null;
  /** May a request of this instance be written now? */
  mayWrite(instanceNo: number): boolean;
  /** Heartbeats have succeeded for a whole lease: only then may others be judged. */
  mayJudge(): boolean;
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
  /** Everything held under this instance must be dropped. */
  onLost(instanceNo: number): void;
  /** A new instance is there. */
  onStarted(instanceNo: number): void;
  /** What `mayWrite` says, in memory that the sender's threads read; null: it has none. */
  right: Pick<RightToWrite, "moment" | "grant" | "withdraw"> | null;
  /** A heartbeat was confirmed: what had to wait for the right to write may go on. */
  onConfirmed(): void;
}

/** The wall clock and the monotonic clock part by this much only when the machine slept or the clock was set. */
const CLOCK_JUMP_MS = 3000;

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { instances, leaseMs, now, wallNow, observer } = options;
  const beatMs = leaseMs / 4;
  const writeMs = (leaseMs * 3) / 4;
  let instanceNo: number | null = null;
  /** An instance of this process that ended, or was given up, although the process goes on. */
  let survived: number | null = null;
  /** When the last confirmed heartbeat was sent. */
  let confirmedAt = -Infinity;
  /** Since when heartbeats have succeeded without a gap. */
  let healthySince = Infinity;
  let clockGap = wallNow() - now();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let beating: Promise<void> = Promise.resolve();

  function clocksParted(): boolean {
    return Math.abs(wallNow() - now() - clockGap) > CLOCK_JUMP_MS;
  }

  /** To be called before a heartbeat is sent; the function answered is to be called once it is confirmed. */
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
    healthySince = sentAt;
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
    healthySince = Infinity;
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
      const { sentAt, confirmed } = sending();
      if (sentAt - confirmedAt > leaseMs) healthySince = sentAt;
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

  /** A connection that died silently must not stop the heart: the next beat tries again. */
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
    // While a machine sleeps its monotonic clock stands still, so that alone would not tell.
    mayWrite: (of) => of === instanceNo && now() - confirmedAt < writeMs && !clocksParted(),
    mayJudge: () =>
      instanceNo !== null && now() - healthySince >= leaseMs && now() - confirmedAt < writeMs,
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
