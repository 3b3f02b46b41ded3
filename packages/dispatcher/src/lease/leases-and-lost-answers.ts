import type { DeliveryStore, LeaseName, QueuedDelivery } from "@markethook/store";
import type { Observer } from "../wiring/observer.ts";

/**
 * Lists the deliveries that are leased to this process. A commit whose answer was lost may have leased deliveries that
 * the process does not know. No other instance rescues them while this one lives, so this one asks the store to give
 * them back.
 *
 * clear --taking leases or another write failed, or a minute has passed--> in doubt: no more leases are taken
 * in doubt --no one takes any--> asking
 * asking --the store gave back the leases that are not in the list--> clear
 * in doubt | asking --the instance is lost--> clear: the rescue gives back all of it
 */
export interface Leases {
  /** Begins to take leases. Null: none may be taken now. Each returned instance must be passed to `took` once. */
  take(): number | null;
  /** Null: it failed, so it is not known which deliveries were taken. `fresh`: leased when they were accepted. */
  took(instanceNo: number, deliveries: readonly QueuedDelivery[] | null, fresh?: boolean): void;
  /** Call when leases have ended for any reason. */
  ended(instanceNo: number, leases: readonly LeaseName[]): void;
  /**
   * Call when a write of this instance threw: its result is unknown, as after a failover that lost the last commits.
   */
  doubt(instanceNo: number): void;
  lost(instanceNo: number): void;
  stop(): void;
}

/** A failover can restore ended leases without any write that fails. */
const EVERY_MS = 60_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

export function createLeases(options: {
  deliveries: Pick<DeliveryStore, "releaseForgotten">;
  /** The instance that may take leases now. */
  instanceNo(): number | null;
  /** Called when leases were taken. */
  queue(instanceNo: number, deliveries: readonly QueuedDelivery[], fresh: boolean): void;
  /** Called when the doubt is over. */
  cleared(): void;
  observer: Observer;
}): Leases {
  const { deliveries, observer } = options;
  /** Lease numbers by delivery. */
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
      // If the instance ended meanwhile, the rescue gives back the deliveries that it took.
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
      // The delivery may have been leased again before the answer to its first end came.
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
