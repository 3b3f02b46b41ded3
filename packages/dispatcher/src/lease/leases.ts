import type { DeliveryStore, LeaseName, QueuedDelivery } from "@markethook/store";
import type { Observer } from "../wiring/observer.ts";

/**
 * Which deliveries this process holds, so that none stays leased to it without its knowing: a commit whose answer
 * was lost may have leased deliveries to an instance that goes on, and nobody rescues from the living.
 *
 * clear --taking leases or another write failed, or a minute has gone by--> in doubt: no more leases are taken
 * in doubt --nobody takes any--> asking
 * asking --the store gave back what we do not hold--> clear
 * in doubt | asking --the instance is lost--> clear: the rescue gives back all of it
 */
export interface Leases {
  /** Begins to take leases; null: none may be taken now. Each instance it answers is handed to `took` once. */
  take(): number | null;
  /** Null: it failed, and what was taken is not known. `fresh`: leased when they were accepted. */
  took(instanceNo: number, deliveries: readonly QueuedDelivery[] | null, fresh?: boolean): void;
  /** Their leases have ended, one way or the other. */
  ended(instanceNo: number, leases: readonly LeaseName[]): void;
  /** A write of this instance threw: what the store has now is not known, as after a failover that lost the last commits. */
  doubt(instanceNo: number): void;
  lost(instanceNo: number): void;
  stop(): void;
}

/** A failover can bring back leases that ended, without any write that fails. */
const EVERY_MS = 60_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

export function createLeases(options: {
  deliveries: Pick<DeliveryStore, "releaseForgotten">;
  /** The instance under which leases may be taken now. */
  instanceNo(): number | null;
  /** Leases were taken. */
  queue(instanceNo: number, deliveries: readonly QueuedDelivery[], fresh: boolean): void;
  /** The doubt is over. */
  cleared(): void;
  observer: Observer;
}): Leases {
  const { deliveries, observer } = options;
  /** The numbers of the leases, by delivery. */
  const held = new Map<number, number>();
  let heldBy: number | null = null;
  let taking = 0;
  let doubted: number | null = null;
  let asking = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function ask(instanceNo: number): Promise<void> {
    asking = true;
    try {
      await deliveries.releaseForgotten(
        instanceNo,
        Array.from(held, ([seq, lease]) => ({ seq, lease })),
      );
      retryMs = FIRST_RETRY_MS;
      if (doubted === instanceNo) doubted = null;
    } catch (error) {
      observer.fault("release forgotten", error);
      if (doubted === instanceNo && !stopped) {
        timer = setTimeout(askIfDue, retryMs);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
    asking = false;
    if (doubted === null) options.cleared();
    else if (doubted !== instanceNo) askIfDue();
  }

  function askIfDue(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (doubted !== null && taking === 0 && !asking && !stopped) void ask(doubted);
  }

  function doubt(instanceNo: number): void {
    if (heldBy !== instanceNo || stopped) return;
    doubted = instanceNo;
    askIfDue();
  }

  const everyMinute = setInterval(() => {
    if (heldBy !== null) doubt(heldBy);
  }, EVERY_MS).unref();

  return {
    take() {
      const instanceNo = options.instanceNo();
      if (instanceNo === null || doubted !== null) return null;
      if (heldBy !== instanceNo) {
        held.clear();
        heldBy = instanceNo;
      }
      taking += 1;
      return instanceNo;
    },
    took(instanceNo, taken, fresh = false) {
      taking -= 1;
      // An instance that ended meanwhile leaves what it took to the rescue.
      if (heldBy === instanceNo) {
        if (taken === null) doubted = instanceNo;
        else if (taken.length > 0) {
          for (const { seq, lease } of taken) held.set(seq, lease);
          options.queue(instanceNo, taken, fresh);
        }
      }
      askIfDue();
    },
    ended(instanceNo, leases) {
      if (heldBy !== instanceNo) return;
      // It may have been leased again before the answer to its first end came.
      for (const { seq, lease } of leases) if (held.get(seq) === lease) held.delete(seq);
    },
    doubt,
    lost(instanceNo) {
      if (heldBy === instanceNo) {
        held.clear();
        heldBy = null;
      }
      if (doubted === instanceNo) doubted = null;
    },
    stop() {
      stopped = true;
      clearInterval(everyMinute);
      if (timer !== null) clearTimeout(timer);
    },
  };
}
