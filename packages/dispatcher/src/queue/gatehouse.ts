import type { SendableWebhook } from "@markethook/store";
import type { Gate, GateWait } from "../gates/gate.ts";
import type { Lane } from "./lane.ts";
import type { Ledger } from "./ledger.ts";
import { isLong, Parking } from "./parking.ts";

/** Who may go, who waits in memory, and who has to wait so long that the database shall keep his deliveries. */
export class Gatehouse {
  readonly #gates: readonly Gate[];
  readonly #now: () => number;
  readonly #parking: Parking;

  constructor(
    gates: readonly Gate[],
    now: () => number,
    ledger: Ledger,
    out: (lanes: readonly Lane[]) => void,
  ) {
    this.#gates = gates;
    this.#now = now;
    this.#parking = new Parking(now, ledger, out);
  }

  /** `until`: to be given back, and not taken again before. */
  judge(lane: Lane, webhook: SendableWebhook): "go" | "parked" | { until: number } {
    const wait = this.#wait(webhook);
    if (wait === null) return "go";
    if (isLong(wait.until, this.#now())) return { until: wait.until };
    this.#parking.park(lane, wait);
    return "parked";
  }

  enter(webhook: SendableWebhook): void {
    for (const gate of this.#gates) gate.enter(webhook);
  }

  leave(webhook: SendableWebhook, sent: boolean): void {
    for (const gate of this.#gates) gate.leave(webhook, sent);
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
