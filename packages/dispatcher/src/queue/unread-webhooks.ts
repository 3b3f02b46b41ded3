import { Place } from "./place.ts";

/** The queues of one webhook wait here until it is read. The suspects of a webhook have a queue of their own. */
class UnreadWebhook extends Place {
  isRead = false;

  room(): number {
    return this.isRead ? Infinity : 0;
  }

  until(): number {
    return Infinity;
  }

  override get ledger(): null {
    return null;
  }
}

/** The webhooks that are being read now. */
export class Unread {
  readonly #places = new Map<number, UnreadWebhook>();

  get size(): number {
    return this.#places.size;
  }

  placeOf(webhookNo: number): Place {
    let place = this.#places.get(webhookNo);
    if (place === undefined) {
      place = new UnreadWebhook("webhook-not-read", `webhook ${webhookNo}`);
      this.#places.set(webhookNo, place);
    }
    return place;
  }

  /** Call when a webhook was read, or could not be. Returns the place that has room now. */
  read(webhookNo: number): Place | null {
    const place = this.#places.get(webhookNo) ?? null;
    if (place === null) return null;
    this.#places.delete(webhookNo);
    place.isRead = true;
    return place;
  }
}
