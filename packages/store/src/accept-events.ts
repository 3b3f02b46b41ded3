import { OwnerChangeNeeded } from "./hot/accept.ts";
import type { PreparedItem } from "./hot/accept-transaction.ts";
import { prepareItems } from "./management/keys.ts";
import type { AcceptItem, AcceptOutcome, EventStore, Offer } from "./port/events.ts";
import { LeaseLostError } from "./port/instances.ts";
import type { ResourceStore } from "./port/resources.ts";

type AcceptSome = (
  items: readonly PreparedItem[],
  offer: Offer | null,
) => Promise<AcceptOutcome & { taken: number }>;

const ATTEMPTS = 3;

/**
 * Accepts a whole batch: transaction after transaction where fan-out is too large for one, a change of owner first
 * where an item brings one, and without a lease when the life has just ended.
 */
export function createAccept(
  acceptSome: AcceptSome,
  resources: ResourceStore,
  factsKey: Buffer,
  /** True for errors after which the whole transaction can simply be tried again. */
  canRepeat: (error: unknown) => boolean = () => false,
): EventStore["accept"] {
  return async (items: readonly AcceptItem[], offer: Offer | null): Promise<AcceptOutcome> => {
    const prepared = prepareItems(items, factsKey);
    const total: AcceptOutcome = { results: [], births: [], unleased: 0, blocked: [] };
    let done = 0;
    let failures = 0;
    let lease = offer;
    while (done < prepared.length) {
      try {
        const outcome = await acceptSome(done === 0 ? prepared : prepared.slice(done), lease);
        done += outcome.taken;
        total.results.push(...outcome.results);
        total.births.push(...outcome.births);
        total.unleased += outcome.unleased;
        total.blocked.push(...outcome.blocked);
        if (lease !== null) lease = shrink(lease, outcome);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (error instanceof OwnerChangeNeeded) {
          await resources.put(lastOf(error.resources));
        } else if (error instanceof LeaseLostError) {
          lease = null;
        } else if (!canRepeat(error) || failures >= ATTEMPTS) {
          throw error;
        }
        if (failures > ATTEMPTS * 2) throw error;
      }
    }
    return total;
  };
}

/** The room that earlier transactions of the same batch have used. */
function shrink(offer: Offer, { births }: AcceptOutcome): Offer {
  const bytes = births.reduce((sum, birth) => sum + birth.payload.length, 0);
  const counts = Map.groupBy(births, (birth) => birth.webhookNo);
  const full = [...counts].filter(([, of]) => of.length >= offer.share).map(([no]) => no);
  return { ...offer, bytes: offer.bytes - bytes, full: [...offer.full, ...full] };
}

function lastOf<T extends { id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
