import type { Ledgers } from "./ledger.ts";
import { type QueueEntry, WebhookQueue } from "./webhook-queue.ts";

const FIRST_LIMIT = 2;
const IDLE_QUEUES = 5000;

/** Suspects of level 1 are most of what was in memory when a process ended: they stand among the others. */
const APART_FROM = 2;
const LEVELS = 32;

/** Each webhook's queue, and next to it one for each higher level of its suspects if it has any. */
export class WebhookQueues {
  readonly #ledgers: Ledgers;
  readonly #queues = new Map<number, WebhookQueue>();
  readonly #suspects = new Map<number, WebhookQueue>();

  constructor(ledgers: Ledgers) {
    this.#ledgers = ledgers;
  }

  all(): WebhookQueue[] {
    return [...this.#queues.values(), ...this.#suspects.values()];
  }

  of({ delivery }: QueueEntry): WebhookQueue {
    const { webhookNo: no, suspicion } = delivery;
    const suspect = suspicion >= APART_FROM;
    const queues = suspect ? this.#suspects : this.#queues;
    const key = suspect ? no * LEVELS + Math.min(suspicion, LEVELS - 1) : no;
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = new WebhookQueue(no, key, suspect ? 1 : FIRST_LIMIT, suspect, this.#ledgers);
      queues.set(key, queue);
    }
    return queue;
  }

  /** What is learned of idle webhooks is kept for the most recent ones only. */
  forgetIfIdle(queue: WebhookQueue): void {
    if (queue.length > 0 || queue.open > 0 || queue.line !== null) return;
    if (queue.suspect) this.#suspects.delete(queue.key);
    else if (this.#queues.size > IDLE_QUEUES) this.#queues.delete(queue.no);
  }
}
