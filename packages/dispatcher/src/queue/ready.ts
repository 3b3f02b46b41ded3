import { Line, type Waiter } from "./place.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

/** Webhook queues whose turn comes, in three lines. */
export class Ready {
  readonly #read = new Line();
  readonly #permitted = new Line();
  readonly #turns = new Line();

  get isEmpty(): boolean {
    return this.#turns.length === 0 && this.#permitted.length === 0 && this.#read.length === 0;
  }

  /** Only a queue that has something to send, may send, and stands nowhere else. */
  add(queue: WebhookQueue): void {
    if (queue.line === null && queue.length > 0 && queue.open < queue.limit) {
      this.#turns.push(queue);
    }
  }

  /** It had its turn and waited, so it goes before the others; also without deliveries, to pass on its permits. */
  addPermitted(queue: Waiter): void {
    this.#permitted.push(queue);
  }

  /** Before all others: what was read for it would be too old soon, and be read again for nothing. */
  addRead(queue: Waiter): void {
    this.#read.push(queue);
  }

  next(): WebhookQueue | undefined {
    const queue = this.#read.shift() ?? this.#permitted.shift() ?? this.#turns.shift();
    // Nothing but webhook queues comes into these lines.
    return queue as WebhookQueue | undefined;
  }
}
