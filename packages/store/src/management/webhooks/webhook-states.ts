import { MarkethookError } from "@markethook/protocol";
import type { Kysely } from "kysely";
import { deliveryNumber } from "../../hot/numbers.ts";
import type { WebhookStore } from "../../port/webhooks.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";
import { pullStep } from "../early/pull-forward.ts";
import { DROPPED, type UpdateWebhook, type WebhookRow } from "./webhook-row.ts";

const PULLED_AT_ONCE = 500;
/** What a person asked for has none. */
const NO_PACE = { perSecond: PULLED_AT_ONCE, doubleEveryMs: 1000 };

/** Pauses webhooks, and resumes those that are paused or disabled. */
export function createWebhookStates(
  context: ManagementContext,
  update: UpdateWebhook,
): Pick<WebhookStore, "pause" | "resume"> {
  const { db, deliveriesReady } = context;

  return {
    async pause(id, ownerId) {
      return await update("webhook.pause", id, ownerId, (row) => {
        if (row.state === "disabled") throw new MarkethookError("webhook_not_active");
        // A backlog that is being dropped is dropped to the end, but the webhook does not resume after that.
        const pausedAt = row.state === "paused" ? row.paused_at : row.now;
        return {
          set: { state: "paused", reason: null, resume_after_cancel: 0, paused_at: pausedAt },
        };
      });
    },

    async resume(id, ownerId, held) {
      const [number] =
        held === "send"
          ? []
          : await db
              .transaction()
              .execute(async (trx) => await context.dialect.takeInOrder(trx, [], 1));
      const webhook = await update("webhook.resume", id, ownerId, async (row, trx) => {
        if (row.reason === "owner_changed" && !(await isBack(trx, row))) {
          throw new MarkethookError("webhook_not_active", {
            detail: "The resource has another owner now; the webhook belongs to the old one.",
          });
        }
        // Nothing is held, and deliveries that are under way must not be dropped.
        if (row.state === "active") return { set: {} };
        const set =
          number === undefined
            ? { state: "active", cancel_before: null, cancel_reason: null, resume_after_cancel: 0 }
            : {
                // Nothing may be claimed until the held deliveries are gone.
                state: "paused",
                cancel_before: deliveryNumber(number),
                cancel_reason: DROPPED,
                resume_after_cancel: 1,
              };
        return {
          set: { ...set, reason: null, probe_at: null, paused_at: null },
          forgetHealth: true,
          pull: number === undefined,
        };
      });
      if (webhook.state === "active") {
        // The first waiting deliveries become due at once; the periodic work does the rest.
        await pullStep(context, id, PULLED_AT_ONCE, NO_PACE);
        deliveriesReady();
      }
      return webhook;
    },
  };
}

/** Whether the resource belongs to the webhook's owner again: a change was taken back, or it was sold back. */
async function isBack(
  trx: Kysely<Tables>,
  { resource_id, owner_id }: Pick<WebhookRow, "resource_id" | "owner_id">,
): Promise<boolean> {
  const resource = await trx
    .selectFrom("resources")
    .select("id")
    .where("id", "=", resource_id)
    .where("owner_id", "=", owner_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return resource !== undefined;
}
