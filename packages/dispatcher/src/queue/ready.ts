import { Line, type Waiter } from "./place.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

/** Three lines of webhook queues that wait only for their turn. */
export class Ready {
  readonly #read = new Line();
  readonly #permitted = new Line();
  readonly #turns = new Line();

  get isEmpty(): boolean {
    return this.#turns.length === 0 && this.#permitted.length === 0 && this.#read.length === 0;
  }

  /** Adds the queue, if it has something to send, may send, and stands in no line. */
  add(queue: WebhookQueue): void {
    if (queue.line === null && queue.length > 0 && queue.open < queue.limit) {
      this.#turns.push(queue);
    }
  }

  /**
   * Adds a queue that has waited for a permit; it goes before those in `turns`. A queue without deliveries is added
   * too, because it must pass on its permits.
   */
  addPermitted(queue: Waiter): void {
    this.#permitted.push(queue);
  }

  /**
   * Adds a queue whose webhook was just read. It goes before all others, because the reading would soon be too old and
   * have to be repeated.
   */
  addRead(queue: Waiter): void {
    this.#read.push(queue);
  }

  next(): WebhookQueue | undefined {
    const queue = this.#read.shift() ?? this.#permitted.shift() ?? this.#turns.shift();
    // Only webhook queues are added to these lines.
    return queue as WebhookQueue | undefined;
  }
}
