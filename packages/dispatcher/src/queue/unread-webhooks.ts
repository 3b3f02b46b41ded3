import { Door, type Place, placeIn } from "./place.ts";

/** The queues of one webhook wait here until it is read. The suspects of a webhook have a queue of their own. */
class UnreadWebhook extends Door {
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
    const make = () => new UnreadWebhook("webhook-not-read", `webhook ${webhookNo}`);
    return placeIn(this.#places, webhookNo, make);
  }

  /** Call when a webhook was read, or could not be. Returns the place that has room now. */
  read(webhookNo: number): Place | null {
    const place = this.#places.get(webhookNo) ?? null;
    if (place === null) return null;
    this.#places.delete(webhookNo);
    place.isOpen = true;
    return place;
  }
}
