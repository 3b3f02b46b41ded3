import { SUSPECT_ALONE_FROM, suspectWindow, type SendableWebhook } from "@markethook/store";
import { type Place, placeIn } from "../queue/place.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";
import { Counter } from "./counter.ts";
import type { Gate, OpenRequest } from "./gate.ts";

/** Counts the suspects of one level. Its gate may allow none of this level at the moment. */
class Level extends Counter {
  readonly #isOpen: () => boolean;
  readonly #emptied: () => void;

  constructor(level: number, cap: number, isOpen: () => boolean, emptied = (): void => undefined) {
    super("poison-suspects", `suspects of level ${level}`, cap);
    this.#isOpen = isOpen;
    this.#emptied = emptied;
  }

  override room(now: number): number {
    return this.#isOpen() ? super.room(now, "proven") : 0;
  }

  get isUsed(): boolean {
    return this.open > 0 || this.permits > 0 || this.waiting > 0;
  }

  override emptied(): void {
    this.#emptied();
  }
}

/**
 * Limits the open requests of poison suspects. Each level has a window of its own, which halves from level to level. A
 * suspect that has to go alone waits until no other is open, and no other begins until it has ended.
 */
export class PoisonSuspects implements Gate {
  readonly reasons = ["poison-suspects"] as const;
  readonly #wake: (place: Place) => void;
  readonly #levels = new Map<number, Level>();
  readonly #alone: Level;
  /** Number of open ones, of all levels. */
  #open = 0;

  constructor(wake: (place: Place) => void) {
    this.#wake = wake;
    this.#alone = new Level(
      SUSPECT_ALONE_FROM,
      1,
      () => this.#open === 0,
      () => {
        // No suspect that has to go alone is open or waits: the levels that may have several open go on.
        if (!this.#alone.isUsed) for (const level of this.#levels.values()) wake(level);
      },
    );
  }

  wait(_webhook: SendableWebhook, queue: WebhookQueue, now: number): Place | null {
    const suspicion = queue.next?.suspicion ?? 0;
    if (suspicion === 0) return null;
    const level = this.#of(suspicion);
    // Newly accepted deliveries of the webhook need not wait for its suspects.
    return level.isFull(now) && !queue.preferFresh() ? level : null;
  }

  enter(_webhook: SendableWebhook, { suspicion }: OpenRequest): void {
    if (suspicion === 0) return;
    this.#open += 1;
    this.#of(suspicion).enter();
  }

  leave(_webhook: SendableWebhook, _sent: boolean, { suspicion }: OpenRequest): void {
    if (suspicion === 0) return;
    this.#open -= 1;
    const level = this.#of(suspicion);
    level.leave();
    this.#wake(level);
    if (level !== this.#alone && this.#open === 0) this.#wake(this.#alone);
  }

  /**
   * Call when a delivery was just accepted for it. Returns true if it waited for its suspects only, and may try again.
   */
  mayPass(queue: WebhookQueue): boolean {
    return queue.line?.place?.reason === "poison-suspects" && queue.preferFresh();
  }

  #of(suspicion: number): Level {
    if (suspicion >= SUSPECT_ALONE_FROM) return this.#alone;
    const make = () => new Level(suspicion, suspectWindow(suspicion), () => !this.#alone.isUsed);
    return placeIn(this.#levels, suspicion, make);
  }
}
