import { MarkethookError, standardKey } from "@markethook/protocol";
import type { AuditAction } from "../../port/audit.ts";
import type { WebhookStore } from "../../port/webhooks.ts";
import { webhookEntry } from "../audit/audit-values.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import {
  ownWebhook,
  rotationOpen,
  encryptedSecrets,
  type WebhookRow,
  type UpdateWebhook,
} from "./webhook-row.ts";

/**
 * one secret --rotate, overlap--> both --time is over, or switch--> the new one
 *                                 both --cancel--> the old one
 * one secret --rotate, switch now--> the new one
 */
export function createWebhookSecrets(
  { transact, reader, encryption, actor, writeAudit }: ActingContext,
  update: UpdateWebhook,
): Pick<
  WebhookStore,
  "revealSecrets" | "revealUrl" | "rotate" | "switchSecret" | "cancelRotation"
> {
  /** Secrets that the service reads for itself are shown to nobody. */
  async function recordReveal(row: WebhookRow, action: AuditAction): Promise<void> {
    if (actor.kind === "system") return;
    const entry = webhookEntry(row, action);
    await transact(async (trx) => await writeAudit(trx, [entry]));
  }

  return {
    async revealSecrets(id, ownerId) {
      const row = await ownWebhook(reader, id, ownerId);
      const { current, next } = encryptedSecrets(row);
      await recordReveal(row, "secret.reveal");
      return {
        current: encryption.decrypt(current, id),
        next: next === null ? null : encryption.decrypt(next, id),
      };
    },

    async revealUrl(id, ownerId) {
      const row = await ownWebhook(reader, id, ownerId);
      await recordReveal(row, "url.reveal");
      return encryption.decrypt(row.url, id);
    },

    async rotate(id, ownerId, rotation) {
      return await update("secret.rotate", id, ownerId, (row) => {
        const encrypted = encryption.encrypt(rotation.secret, id);
        const isText = standardKey(rotation.secret) === null ? 1 : 0;
        const notice = { kind: "webhook_secret_changed", detail: { mode: rotation.mode } } as const;
        if (rotation.mode === "switch_now") {
          return {
            set: {
              secret: encrypted,
              secret_is_text: isText,
              next_secret: null,
              next_secret_until: null,
            },
            notice,
          };
        }
        if (rotationOpen(row)) throw new MarkethookError("rotation_open");
        return {
          set: {
            secret: encryptedSecrets(row).current,
            secret_is_text: isText,
            next_secret: encrypted,
            next_secret_until:
              rotation.overlapSeconds === null ? null : row.now + rotation.overlapSeconds * 1000,
          },
          notice,
        };
      });
    },

    async switchSecret(id, ownerId) {
      return await update("secret.switch", id, ownerId, (row) => {
        if (!rotationOpen(row) || row.next_secret === null)
          throw new MarkethookError("rotation_not_open");
        return {
          set: { secret: row.next_secret, next_secret: null, next_secret_until: null },
          notice: { kind: "webhook_secret_changed", detail: { mode: "switched" } },
        };
      });
    },

    async cancelRotation(id, ownerId) {
      return await update("secret.cancel_rotation", id, ownerId, (row) => {
        if (!rotationOpen(row)) throw new MarkethookError("rotation_not_open");
        const isText = standardKey(encryption.decrypt(row.secret, id)) === null ? 1 : 0;
        return {
          set: { next_secret: null, next_secret_until: null, secret_is_text: isText },
          notice: { kind: "webhook_secret_changed", detail: { mode: "cancelled" } },
        };
      });
    },
  };
}
