import { isAboutRows } from "../row-faults.ts";
import type { SettleOutcome, Settlement } from "../port/deliveries.ts";

/**
 * Settles as many settlements together as possible. If the database refuses a batch because of its content, the batch
 * is halved until the bad settlements are alone. Otherwise one of them would keep all others from being stored.
 *
 * @throws What `settle` throws for any other reason. Then some of the batch may be stored; to repeat all of it is safe,
 *   since every settlement names its lease.
 */
export async function settleApart(
  settlements: readonly Settlement[],
  settle: (some: readonly Settlement[]) => Promise<Omit<SettleOutcome, "failed">>,
): Promise<SettleOutcome> {
  try {
    return { ...(await settle(settlements)), failed: [] };
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    const [first] = settlements;
    if (first === undefined || settlements.length === 1) {
      const why = error instanceof Error ? error.message : String(error);
      const failed = first === undefined ? [] : [{ seq: first.seq, why }];
      return { refused: [], changedWebhooks: [], failed };
    }
  }
  const middle = Math.ceil(settlements.length / 2);
  const front = await settleApart(settlements.slice(0, middle), settle);
  const back = await settleApart(settlements.slice(middle), settle);
  return {
    refused: [...front.refused, ...back.refused],
    changedWebhooks: [...front.changedWebhooks, ...back.changedWebhooks],
    failed: [...front.failed, ...back.failed],
  };
}
