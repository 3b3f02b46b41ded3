import type { AcceptItem, AcceptResult } from "@markethook/store";
import { makeTag, MarkethookError, parseEventId } from "@markethook/protocol";
import type { Choices } from "./choices.ts";
import type { LostCommits } from "./backend.ts";
import type { Ledger, Reported } from "./ledger.ts";
import type { Machine } from "./machine.ts";
import type { Oracles } from "./oracles.ts";
import type { Shape } from "./plan.ts";
import type { Timeline } from "./timeline.ts";

/** Anyone who can be told of events now. */
export interface Entrance {
  machine: Machine;
  accept(items: readonly AcceptItem[]): Promise<AcceptResult[]>;
}

const PATIENCE_MS = 5000;
const AGAIN_MS = 1000;
/** Of a refusal that says that nothing was stored. */
const NOTHING_STORED: ReadonlySet<string> = new Set(["overloaded", "shutting_down"]);
const EPOCH_S = 1_700_000_000;

/**
 * Reports events, and again under the same key until it is told what became of them. Some it gives up, and some it
 * reports once more although it knows.
 */
export class Marketplace {
  readonly #timeline: Timeline;
  readonly #random: Choices;
  readonly #ledger: Ledger;
  readonly #oracles: Oracles;
  readonly #shape: Shape;
  readonly #entrances: () => Entrance[];
  readonly #webhooksOf = new Map<number, number[]>();
  /** What was reported, while failovers are to be expected. */
  readonly #outbox: Map<Reported, AcceptItem> | null;
  readonly #lost = new Set<string>();
  #reported = 0;
  /** Reported, and not known what became of it. */
  open = 0;

  constructor(options: {
    timeline: Timeline;
    random: Choices;
    ledger: Ledger;
    oracles: Oracles;
    shape: Shape;
    entrances: () => Entrance[];
    failsOver: boolean;
  }) {
    this.#outbox = options.failsOver ? new Map() : null;
    this.#timeline = options.timeline;
    this.#random = options.random;
    this.#ledger = options.ledger;
    this.#oracles = options.oracles;
    this.#shape = options.shape;
    this.#entrances = options.entrances;
    for (const [index, { resource }] of options.shape.receivers.entries()) {
      const list = this.#webhooksOf.get(resource) ?? [];
      list.push(index + 1);
      this.#webhooksOf.set(resource, list);
    }
  }

  start(loadEndsAt: number): void {
    const { rate, batch } = this.#shape;
    const everyMs = (1000 * batch) / rate;
    const next = (): void => {
      if (this.#timeline.now >= loadEndsAt) return;
      this.#report();
      this.#timeline.after(everyMs * this.#random.between(0.5, 1.5), null, next);
    };
    this.#timeline.after(1000, null, next);
  }

  /** Reports again what was acknowledged since the last copied commit, as it cannot know what is lost. */
  failedOver({ events }: LostCommits, copiedAt: number): void {
    for (const tag of events) this.#lost.add(tag);
    for (const [event, item] of this.#outbox ?? []) {
      if (event.acknowledged === null || event.acknowledged.at < copiedAt) continue;
      if (events.has(event.acknowledged.tag)) this.#ledger.lost(event);
      this.open += 1;
      this.#send([item], [event]);
    }
  }

  /** An event that is reported again has a new tag, and counts only once, by its key. */
  #withNewTags(items: readonly AcceptItem[], events: readonly Reported[]): AcceptItem[] {
    return items.map((item, index) => {
      const tag = makeTag((length) => this.#random.bytes(length));
      const event = events[index];
      if (event === undefined) throw new Error("an item without its event");
      event.tag = tag;
      this.#ledger.report(event);
      return { ...item, tag };
    });
  }

  #report(): void {
    const random = this.#random;
    // One buyer's events come together; others' are mixed.
    const oneBuyer = this.#shape.load === "one buyer" ? random.whole(1, this.#shape.buyers) : null;
    const oneResource = random.int(this.#webhooksOf.size);
    const items: AcceptItem[] = [];
    const events: Reported[] = [];
    for (let i = 0; i < this.#shape.batch; i += 1) {
      const resource = oneBuyer === null ? random.int(this.#webhooksOf.size) : oneResource;
      const userId = oneBuyer ?? random.whole(1, this.#shape.buyers);
      this.#reported += 1;
      const key = `key-${this.#reported}`;
      const tag = makeTag((length) => random.bytes(length));
      items.push({
        resourceId: `resource-${resource}`,
        name: random.chance(0.8) ? "product.user.purchase" : "product.user.purchaseRemoved",
        time: EPOCH_S + Math.floor(this.#timeline.now / 1000),
        tag,
        userId,
        idempotency: { key, bodyHash: `hash-${this.#reported}` },
      });
      const event: Reported = {
        tag,
        key,
        userId,
        webhooks: this.#webhooksOf.get(resource) ?? [],
        reportedAt: this.#timeline.now,
        mayBeStored: false,
        acknowledged: null,
        wasAccepted: false,
        deliveredAt: new Map(),
      };
      events.push(event);
      this.#ledger.report(event);
      const item = items.at(-1);
      if (item !== undefined) this.#outbox?.set(event, item);
    }
    this.open += 1;
    this.#send(items, events);
  }

  #send(reported: readonly AcceptItem[], events: readonly Reported[]): void {
    const timeline = this.#timeline;
    const items = this.#outbox === null ? reported : this.#withNewTags(reported, events);
    const entrances = this.#entrances();
    const entrance = entrances[this.#random.int(Math.max(1, entrances.length))];
    if (entrance === undefined) {
      timeline.after(AGAIN_MS, null, () => this.#send(items, events));
      return;
    }
    let answered = false;
    const once = (work: () => void) => (): void => {
      if (answered) return;
      answered = true;
      work();
    };
    // A new try is a new request: it is known by its key, not by its tag.
    const unknown = once(() => {
      for (const event of events) event.mayBeStored = true;
      timeline.after(AGAIN_MS, null, () => this.#send(items, events));
    });
    timeline.after(PATIENCE_MS, null, unknown);
    // What may have left must count as stored before it arrives anywhere.
    const before = events.map((event) => event.mayBeStored);
    for (const event of events) event.mayBeStored = true;
    timeline.after(this.#random.between(0.2, 2), entrance.machine, () => {
      entrance.accept(items).then(
        (results) =>
          timeline.after(
            0.5,
            null,
            once(() => this.#learn(items, events, results)),
          ),
        (error: unknown) => {
          const code = error instanceof MarkethookError ? error.code : "";
          const refusal = once(() => {
            for (const [index, event] of events.entries()) {
              event.mayBeStored = before[index] === true;
            }
            if (this.#random.chance(0.1) && before.every((may) => !may)) this.open -= 1;
            else timeline.after(AGAIN_MS, null, () => this.#send(items, events));
          });
          timeline.after(0.5, null, NOTHING_STORED.has(code) ? refusal : unknown);
        },
      );
    });
  }

  #learn(
    items: readonly AcceptItem[],
    events: readonly Reported[],
    results: readonly AcceptResult[],
  ): void {
    let again = false;
    for (const [index, event] of events.entries()) {
      const result = results[index];
      if (result === undefined || result.kind === "rejected") {
        this.#oracles.violate("rejected", `${event.key}: ${JSON.stringify(result)}`);
        continue;
      }
      const expected = event.webhooks.length;
      if (result.kind === "accepted" && result.deliveries !== expected) {
        this.#oracles.violate("deliveries missing", `${result.deliveries} of ${expected}`);
      }
      if (this.#lost.has(parseEventId(result.eventId)?.tag ?? "")) {
        event.mayBeStored = true;
        again = true;
        continue;
      }
      if (result.kind === "accepted") {
        if (event.wasAccepted)
          this.#oracles.violate("stored twice", `${event.key}: ${result.eventId}`);
        event.wasAccepted = true;
      }
      const isNew = event.acknowledged === null;
      const fault = this.#ledger.acknowledge(event, result.eventId, this.#timeline.now);
      if (fault !== null) this.#oracles.violate("stored twice", fault);
      if (isNew) this.#oracles.acknowledged(event);
      if (isNew && this.#random.chance(0.01)) again = true;
    }
    if (again) this.#send(items, events);
    else this.open -= 1;
  }
}
