import type { Webhook } from "@markethook/client";

/** Of each dialog about a webhook. */
export interface WebhookDialogProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}
