import type { Webhook } from "@markethook/store";
import type { Static } from "typebox";
import { instant, instantOrNull } from "./instant.ts";
import type { WebhookView } from "./schemas/webhook.ts";

/** A webhook as the API shows it: without its internal number. */
export function webhookView(webhook: Webhook): Static<typeof WebhookView> {
  return {
    id: webhook.id,
    resourceId: webhook.resourceId,
    ownerId: webhook.ownerId,
    url: webhook.url,
    format: webhook.format,
    events: webhook.events,
    description: webhook.description,
    state: webhook.state,
    disabledReason: webhook.disabledReason,
    standardSignature: !webhook.secretIsImportedText,
    rotation: webhook.rotation && { until: instantOrNull(webhook.rotation.until) },
    dropping: webhook.dropping,
    failingSince: instantOrNull(webhook.failingSince),
    lastSuccessAt: instantOrNull(webhook.lastSuccessAt),
    lastFailureAt: instantOrNull(webhook.lastFailureAt),
    createdAt: instant(webhook.createdAt),
    updatedAt: instant(webhook.updatedAt),
  };
}
