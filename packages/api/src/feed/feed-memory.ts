import type { WatchedDeliveries } from "@markethook/store";

/** A delivery that was made this long before the last reading is not new, but has become visible. */
const NEW_MS = 5000;

interface Changes {
  /** Numbers of changed deliveries, ascending. */
  seqs: number[];
  /** Webhooks with changes of which not everything could be read. */
  full: Set<number>;
}

/** The last reading of a webhook's deliveries. */
interface Seen {
  deliveries: ReadonlyMap<number, { mark: string; open: boolean }>;
  /** Of the ended ones with lower numbers, none was in sight. */
  endedFrom: number;
  /** Not all that wait or are leased were in sight. */
  isFull: boolean;
  perWebhook: number;
}

/** Remembers the last reading of some webhooks' deliveries, and finds the differences of the next one. */
export function createFeedMemory() {
  const seen = new Map<number, Seen>();
  /** The time of the last reading. The one after can be much later, as when the database did not answer. */
  let readAt = 0;

  return {
    /**
     * A webhook that is read for the first time has no changes. `perWebhook`: a reading has at most so many ended
     * deliveries of a webhook, the newest. It may differ from reading to reading.
     */
    changes(nos: readonly number[], look: WatchedDeliveries, perWebhook: number): Changes {
      const changes: Changes = { seqs: [], full: new Set() };
      const byWebhook = Map.groupBy(look.deliveries, ({ webhookNo }) => webhookNo);
      const full = new Set(look.full);
      const newFrom = Math.min(readAt, look.now) - NEW_MS;
      readAt = look.now;
      for (const no of nos) {
        const before = seen.get(no);
        const after = new Map(
          (byWebhook.get(no) ?? []).map((delivery) => [delivery.seq, delivery]),
        );
        const ended = [...after.values()].filter(({ open }) => !open).map(({ seq }) => seq);
        const endedFrom = ended.length < perWebhook ? 0 : Math.min(...ended);
        const isFull = full.has(no);
        seen.set(no, { deliveries: after, endedFrom, isFull, perWebhook });
        if (before === undefined) continue;
        // Others of those that wait are in sight now.
        if (before.perWebhook !== perWebhook && (isFull || before.isFull)) {
          changes.full.add(no);
          continue;
        }
        const found = changes.seqs.length;
        // Below them, others can have been made and have ended since.
        const mayMiss =
          ended.length >= perWebhook && !ended.some((seq) => before.deliveries.has(seq));
        for (const delivery of after.values()) {
          const known = before.deliveries.get(delivery.seq);
          const waitsSince = delivery.waiting ? delivery.createdAt : look.now;
          const wasOutOfSight = !delivery.open && delivery.seq < before.endedFrom;
          const isNew = known === undefined && !wasOutOfSight && waitsSince > newFrom;
          if (isNew || (known !== undefined && known.mark !== delivery.mark)) {
            changes.seqs.push(delivery.seq);
          }
        }
        // It has ended, but its number is too old to be among the newest ended ones.
        for (const [seq, { open }] of before.deliveries)
          if (open && !after.has(seq)) changes.seqs.push(seq);
        if ((isFull || mayMiss) && changes.seqs.length > found) changes.full.add(no);
      }
      const watched = new Set(nos);
      for (const no of seen.keys()) if (!watched.has(no)) seen.delete(no);
      changes.seqs.sort((a, b) => a - b);
      return changes;
    },
    forget(): void {
      seen.clear();
    },
  };
}
