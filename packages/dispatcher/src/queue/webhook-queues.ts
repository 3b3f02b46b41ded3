import type { Ledgers } from "./memory-ledger.ts";
import { type QueueEntry, WebhookQueue } from "./webhook-queue.ts";

const FIRST_LIMIT = 2;
const IDLE_QUEUES = 5000;

/**
 * Suspects of level 1 stay in the ordinary queue: they are most of the deliveries that were in memory when a process
 * ended.
 */
const APART_FROM = 2;
const LEVELS = 32;

/** The queue of each webhook, and one more for each higher level of its suspects. */
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

  /** Webhooks whose receivers fail, reply slowly, or take only so many at a time, as chats do. */
  slow(): number[] {
    return this.all()
      .filter(({ isKeptWaiting }) => isKeptWaiting)
      .map(({ no }) => no);
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

  /** Keeps what was learned about idle webhooks for the most recent ones only. */
  forgetIfIdle(queue: WebhookQueue): void {
    if (queue.length > 0 || queue.open > 0 || queue.line !== null) return;
    if (queue.suspect) this.#suspects.delete(queue.key);
    else if (this.#queues.size > IDLE_QUEUES) this.#queues.delete(queue.no);
  }
}
