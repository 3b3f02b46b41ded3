import type { SendableWebhook } from "@markethook/store";
import type { Gate, GateWait } from "./gate.ts";
import type { Lane } from "./lane.ts";
import { Parking } from "./parking.ts";

/** Waiting longer than this before a gate is done in the database. */
const LONG_WAIT_MS = 10_000;
/** When too much is parked, its webhooks come back after this time. */
const CROWDED_MS = 5000;

/** Who may go, who waits in memory, and who has to wait so long that the database shall keep his deliveries. */
export class Gatehouse {
  readonly #gates: readonly Gate[];
  readonly #now: () => number;
  readonly #mostBytes: number;
  readonly #parking: Parking;

  constructor(
    gates: readonly Gate[],
    now: () => number,
    mostBytes: number,
    out: (lanes: readonly Lane[]) => void,
  ) {
    this.#gates = gates;
    this.#now = now;
    this.#mostBytes = mostBytes;
    this.#parking = new Parking(now, out);
  }

  /** `until`: to be given back, and not taken again before. */
  judge(lane: Lane, webhook: SendableWebhook): "go" | "parked" | { until: number } {
    const wait = this.#wait(webhook);
    if (wait === null) return "go";
    const now = this.#now();
    if (wait.until !== Infinity && wait.until - now > LONG_WAIT_MS) return { until: wait.until };
    if (this.#parking.bytes > this.#mostBytes) return { until: now + CROWDED_MS };
    this.#parking.park(lane, wait);
    return "parked";
  }

  enter(webhook: SendableWebhook): void {
    for (const gate of this.#gates) gate.enter(webhook);
  }

  leave(webhook: SendableWebhook, sent: boolean): void {
    for (const gate of this.#gates) gate.leave(webhook, sent);
  }

  /** What a parked lane holds has become more, or less. */
  changed(lane: Lane, bytes: number): void {
    if (lane.parked) this.#parking.bytes += bytes;
  }

  wake(key: string): void {
    this.#parking.wake(key);
  }

  close(): void {
    this.#parking.close();
  }

  #wait(webhook: SendableWebhook): GateWait | null {
    for (const gate of this.#gates) {
      const wait = gate.wait(webhook);
      if (wait !== null) return wait;
    }
    return null;
  }
}
