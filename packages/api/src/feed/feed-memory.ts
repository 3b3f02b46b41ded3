import type { WatchedDeliveries } from "@markethook/store";

/** A delivery that was made this long before the last reading is not new, but has become visible. */
const NEW_MS = 5000;

interface Changes {
  /** Numbers of changed deliveries, ascending. */
  seqs: number[];
  /** Webhooks with changes of which not everything could be read. */
  full: Set<number>;
}

/**
 * Remembers the last reading of some webhooks' deliveries, and finds the differences of the next one. A reading has at
 * most `perWebhook` ended deliveries of a webhook, the newest.
 */
export function createFeedMemory(perWebhook: number) {
  const seen = new Map<number, Map<number, { mark: string; open: boolean }>>();
  /** The time of the last reading. The one after can be much later, as when the database did not answer. */
  let readAt = 0;

  return {
    /** A webhook that is read for the first time has no changes. */
    changes(nos: readonly number[], look: WatchedDeliveries): Changes {
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
        seen.set(no, after);
        if (before === undefined) continue;
        const found = changes.seqs.length;
        const ended = [...after.values()].filter(({ open }) => !open);
        // Below them, others can have been made and have ended since.
        const mayMiss = ended.length >= perWebhook && !ended.some(({ seq }) => before.has(seq));
        for (const delivery of after.values()) {
          const known = before.get(delivery.seq);
          const waitsSince = delivery.waiting ? delivery.createdAt : look.now;
          const isNew = known === undefined && waitsSince > newFrom;
          if (isNew || (known !== undefined && known.mark !== delivery.mark)) {
            changes.seqs.push(delivery.seq);
          }
        }
        // It has ended, but its number is too old to be among the newest ended ones.
        for (const [seq, { open }] of before) if (open && !after.has(seq)) changes.seqs.push(seq);
        if ((full.has(no) || mayMiss) && changes.seqs.length > found) changes.full.add(no);
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
