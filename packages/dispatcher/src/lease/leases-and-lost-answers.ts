import type { DeliveryStore, LeaseName, QueuedDelivery } from "@markethook/store";
import type { Observer } from "../wiring/observer.ts";

/** A failover can restore ended leases without any write that fails. */
const EVERY_MS = 60_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

export interface Taken {
  /** Leased when they were accepted. */
  fresh?: boolean;
  /** As `take` was called. */
  toTry?: boolean;
}

export interface LeasesOptions {
  deliveries: Pick<DeliveryStore, "releaseForgotten">;
  /** The instance that may take leases now. `toTry`: few, to see whether its network is back. */
  instanceNo(toTry: boolean): number | null;
  /** Called when leases were taken. */
  queue(instanceNo: number, deliveries: readonly QueuedDelivery[], how: Taken): void;
  /** Called when the doubt is over. */
  cleared(): void;
  observer: Observer;
}

/**
 * Lists the deliveries that are leased to this process. A commit whose answer was lost may have leased deliveries that
 * the process does not know. No other instance rescues them while this one lives, so this one asks the store to give
 * them back.
 *
 * clear --taking leases or another write failed, or a minute has passed--> in doubt: no more leases are taken
 * in doubt --no one takes any--> asking
 * asking --the store gave back the leases that are not in the list--> clear
 *        --another write failed meanwhile--> in doubt: the answer may be older than that write
 * in doubt | asking --the instance is lost--> clear: the rescue gives back all of it
 */
export class Leases {
  readonly #options: LeasesOptions;
  /** Lease numbers by delivery. */
  readonly #held = new Map<number, number>();
  /** Those among them that probe disabled webhooks. */
  readonly #probes = new Set<number>();
  #heldBy: number | null = null;
  #taking = 0;
  #doubted: number | null = null;
  #asking = false;
  #doubtedAgain = false;
  #retryMs = FIRST_RETRY_MS;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  readonly #everyMinute: NodeJS.Timeout;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#everyMinute = setInterval(() => {
      if (this.#heldBy !== null) this.doubt(this.#heldBy);
    }, EVERY_MS).unref();
  }

  /** Number of probes that have not ended yet. */
  get probes(): number {
    return this.#probes.size;
  }

  /** Begins to take leases. Null: none may be taken now. Each returned instance must be passed to `took` once. */
  take(toTry = false): number | null {
    const instanceNo = this.#options.instanceNo(toTry);
    if (instanceNo === null || this.#doubted !== null) return null;
    if (this.#heldBy !== instanceNo) {
      this.#forgetAll();
      this.#heldBy = instanceNo;
    }
    this.#taking += 1;
    return instanceNo;
  }

  /** Null: it failed, so it is not known which deliveries were taken. */
  took(instanceNo: number, deliveries: readonly QueuedDelivery[] | null, how: Taken = {}): void {
    this.#taking -= 1;
    // If the instance ended meanwhile, the rescue gives back the deliveries that it took.
    if (this.#heldBy === instanceNo) {
      if (deliveries === null) this.#doubted = instanceNo;
      else if (deliveries.length > 0) {
        for (const { seq, lease, probe } of deliveries) {
          this.#held.set(seq, lease);
          if (probe) this.#probes.add(seq);
        }
        this.#options.queue(instanceNo, deliveries, how);
      }
    }
    this.#askIfDue();
  }

  /** Call when leases have ended for any reason. */
  ended(instanceNo: number, leases: readonly LeaseName[]): void {
    if (this.#heldBy !== instanceNo) return;
    // The delivery may have been leased again before the answer to its first end came.
    for (const { seq, lease } of leases) {
      if (this.#held.get(seq) !== lease) continue;
      this.#held.delete(seq);
      this.#probes.delete(seq);
    }
  }

  /**
   * Call when a write of this instance threw: its result is unknown, as after a failover that lost the last commits.
   */
  doubt(instanceNo: number): void {
    if (this.#heldBy !== instanceNo || this.#stopped) return;
    this.#doubted = instanceNo;
    this.#doubtedAgain = true;
    this.#askIfDue();
  }

  lost(instanceNo: number): void {
    if (this.#heldBy === instanceNo) {
      this.#forgetAll();
      this.#heldBy = null;
    }
    if (this.#doubted === instanceNo) this.#doubted = null;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#everyMinute);
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #forgetAll(): void {
    this.#held.clear();
    this.#probes.clear();
  }

  async #ask(instanceNo: number): Promise<void> {
    const { deliveries, observer } = this.#options;
    this.#asking = true;
    this.#doubtedAgain = false;
    try {
      await deliveries.releaseForgotten(
        instanceNo,
        Array.from(this.#held, ([seq, lease]) => ({ seq, lease })),
      );
      this.#retryMs = FIRST_RETRY_MS;
      if (this.#doubted === instanceNo && !this.#doubtedAgain) this.#doubted = null;
    } catch (error) {
      observer.fault("release forgotten", error);
      if (this.#doubted === instanceNo && !this.#stopped) {
        this.#timer = setTimeout(() => this.#askIfDue(), this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
      }
    }
    this.#asking = false;
    if (this.#doubted === null) this.#options.cleared();
    else if (this.#timer === null) this.#askIfDue();
  }

  #askIfDue(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const mayAsk = this.#taking === 0 && !this.#asking && !this.#stopped;
    if (this.#doubted !== null && mayAsk) void this.#ask(this.#doubted);
  }
}
