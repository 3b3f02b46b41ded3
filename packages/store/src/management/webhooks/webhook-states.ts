import { MarkethookError } from "@markethook/protocol";
import { deliveryNumber } from "../../hot/numbers.ts";
import type { WebhookStore } from "../../port/webhooks.ts";
import type { ManagementContext } from "../context.ts";
import { pullStep } from "../early/pull-forward.ts";
import { checkOwned } from "../resources/owners-times.ts";
import { DROPPED, type UpdateWebhook } from "./webhook-row.ts";

const PULLED_AT_ONCE = 500;
/** For a person's request there is no slow start. */
const NO_PACE = { perSecond: PULLED_AT_ONCE, doubleEveryMs: 1000 };

/** Pauses webhooks, and resumes those that are paused or disabled. */
export function createWebhookStates(
  context: ManagementContext,
  update: UpdateWebhook,
): Pick<WebhookStore, "pause" | "resume"> {
  const { transact, deliveriesReady } = context;

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
          : await transact(async (trx) => await context.dialect.takeInOrder(trx, [], 1));
      const webhook = await update("webhook.resume", id, ownerId, async (row, trx) => {
        // A change may have been taken back, or the resource sold back.
        if (row.reason === "owner_changed") await checkOwned(trx, row);
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
