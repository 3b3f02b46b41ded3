import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import { type AcceptedSome, OwnerChangeNeeded, preLeasedDelivery } from "./hot/accept.ts";
import type { PlainWebhookValues, PreparedItem } from "./hot/accept-transaction.ts";
import type { LeaseBudgetLeft } from "./hot/fan-out.ts";
import type { ManagementContext } from "./management/context.ts";
import { prepareItems } from "./management/first-download-key.ts";
import { plainSendable } from "./management/webhooks/sendable-webhook.ts";
import type { QueuedDelivery } from "./port/deliveries.ts";
import type { AcceptItem, AcceptOutcome, EventStore, LeaseBudget } from "./port/events.ts";
import { withSomethingStored } from "./nothing-stored.ts";
import { LeaseLostError } from "./port/instances.ts";
import type { ResourceStore } from "./port/resources.ts";
import type { SendableWebhook } from "./port/webhooks.ts";
import type { Encryption } from "./encryption.ts";

type AcceptSome = (
  items: readonly PreparedItem[],
  budget: LeaseBudgetLeft | null,
) => Promise<AcceptedSome>;

const ATTEMPTS = 5;

/**
 * Accepts a whole batch. Uses several transactions if the fan-out is too large for one, changes an owner first if an
 * item brings another one, and leases nothing if the instance has just ended.
 */
export function createAccept(
  acceptSome: AcceptSome,
  resources: ResourceStore,
  { dedupeSecret, encryption }: Pick<ManagementContext, "dedupeSecret" | "encryption">,
  /** Returns true for errors after which the whole transaction can be repeated. */
  canRepeat: (error: unknown) => boolean = () => false,
): EventStore["accept"] {
  return async (
    items: readonly AcceptItem[],
    budget: LeaseBudget | null,
  ): Promise<AcceptOutcome> => {
    const prepared = prepareItems(items, dedupeSecret);
    const total: AcceptOutcome = {
      results: [],
      preLeased: [],
      webhooks: [],
      notPreLeased: 0,
      claimable: 0,
      blocked: [],
    };
    let done = 0;
    let failures = 0;
    let ownersChanged = false;
    const told = (error: unknown): unknown => {
      if (done === 0 && !ownersChanged) return error;
      // Not about rows any more: callers repeat what is.
      return isMarkethookError(error)
        ? withSomethingStored(error)
        : new Error("some of the events were stored", { cause: error });
    };
    let lease: LeaseBudgetLeft | null = budget;
    while (done < prepared.length) {
      try {
        const outcome = await acceptSome(done === 0 ? prepared : prepared.slice(done), lease);
        done += outcome.taken;
        total.results.push(...outcome.results);
        const preLeased = outcome.preLeased.map(preLeasedDelivery);
        total.preLeased.push(...preLeased);
        total.webhooks.push(...opened(outcome.plainWebhooks, encryption));
        total.notPreLeased += outcome.notPreLeased;
        total.claimable += outcome.claimable;
        total.blocked.push(...outcome.blocked);
        if (lease !== null) lease = shrink(lease, preLeased);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures >= ATTEMPTS) throw told(finalError(error));
        if (error instanceof OwnerChangeNeeded) {
          ownersChanged = true;
          await resources.put([error.resource]);
        } else if (error instanceof LeaseLostError) lease = null;
        else if (!canRepeat(error)) throw told(error);
      }
    }
    return total;
  };
}

/** The events are stored already: a webhook that cannot be decrypted is no reason to refuse them. */
function opened(rows: readonly PlainWebhookValues[], encryption: Encryption): SendableWebhook[] {
  return rows.flatMap((values) => {
    try {
      return [plainSendable(values, encryption)];
    } catch {
      return [];
    }
  });
}

/** Hides two internal errors from callers: they mean that others kept changing the rows that this batch needs. */
function finalError(error: unknown): unknown {
  return error instanceof OwnerChangeNeeded || error instanceof LeaseLostError
    ? new MarkethookError("store_unavailable", { detail: "Others kept changing it.", cause: error })
    : error;
}

/** The part of the budget that is left for this transaction. */
function shrink(budget: LeaseBudgetLeft, preLeased: readonly QueuedDelivery[]): LeaseBudgetLeft {
  const used = new Map(budget.used);
  let { bytes } = budget;
  for (const { webhookNo, payload } of preLeased) {
    bytes -= payload.length;
    used.set(webhookNo, (used.get(webhookNo) ?? 0) + 1);
  }
  return { ...budget, bytes, used };
}
