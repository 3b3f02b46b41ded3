import type { DeliveryStore, QueuedDelivery } from "@markethook/store";
import type { Observer } from "./observer.ts";

/**
 * Which deliveries this process holds, so that none stays leased to it without its knowing: a commit whose answer
 * was lost may have leased deliveries to a life that goes on, and nobody rescues from the living.
 *
 * clear --taking leases failed--> in doubt: no more leases are taken --nobody takes any--> asking
 * asking --the store gave back what we do not hold--> clear
 * in doubt | asking --the life is lost--> clear: the rescue gives back all of it
 */
export interface Leases {
  /** Begins to take leases; null: none may be taken now. Each life it answers is handed to `took` once. */
  take(): number | null;
  /** Null: it failed, and what was taken is not known. */
  took(life: number, deliveries: readonly QueuedDelivery[] | null): void;
  /** Their leases have ended, one way or the other. */
  ended(life: number, seqs: readonly number[]): void;
  lost(life: number): void;
  stop(): void;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

export function createLeases(options: {
  deliveries: Pick<DeliveryStore, "releaseForgotten">;
  /** The life under which leases may be taken now. */
  life(): number | null;
  /** Leases were taken. */
  hold(life: number, deliveries: readonly QueuedDelivery[]): void;
  /** The doubt is over. */
  cleared(): void;
  observer: Observer;
}): Leases {
  const { deliveries, observer } = options;
  const held = new Set<number>();
  let heldBy: number | null = null;
  let taking = 0;
  let doubted: number | null = null;
  let asking = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function ask(life: number): Promise<void> {
    asking = true;
    try {
      await deliveries.releaseForgotten(life, [...held]);
      retryMs = FIRST_RETRY_MS;
      if (doubted === life) doubted = null;
    } catch (error) {
      observer.fault("release forgotten", error);
      if (doubted === life && !stopped) {
        timer = setTimeout(askIfDue, retryMs);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
    asking = false;
    if (doubted === null) options.cleared();
    else if (doubted !== life) askIfDue();
  }

  function askIfDue(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (doubted !== null && taking === 0 && !asking && !stopped) void ask(doubted);
  }

  return {
    take() {
      const life = options.life();
      if (life === null || doubted !== null) return null;
      if (heldBy !== life) {
        held.clear();
        heldBy = life;
      }
      taking += 1;
      return life;
    },
    took(life, taken) {
      taking -= 1;
      // A life that ended meanwhile leaves what it took to the rescue.
      if (heldBy === life) {
        if (taken === null) doubted = life;
        else if (taken.length > 0) {
          for (const { seq } of taken) held.add(seq);
          options.hold(life, taken);
        }
      }
      askIfDue();
    },
    ended(life, seqs) {
      if (heldBy === life) for (const seq of seqs) held.delete(seq);
    },
    lost(life) {
      if (heldBy === life) {
        held.clear();
        heldBy = null;
      }
      if (doubted === life) doubted = null;
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
