import type { AuditActor } from "../port/audit.ts";
import type { ActingStore } from "../port/store.ts";
import { createApiKeys } from "./auth/api-keys.ts";
import type { ManagementContext } from "./context.ts";
import { createEarlySending } from "./early/early-sending.ts";
import { createErasure } from "./erasure/erasure.ts";
import { createImports } from "./imports/imports.ts";
import { createMissing } from "./redelivery/missing.ts";
import { createPortalSessions } from "./auth/portal-sessions.ts";
import { createRedelivery } from "./redelivery/redelivery.ts";
import { createResources } from "./resources/resources.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

/**
 * The operations that add audit rows, in the name of an author. It is cheap: one is made for each request that changes
 * something.
 */
export function createActing(
  context: ManagementContext,
  dedupeSecret: Buffer,
): (actor: AuditActor) => ActingStore {
  return (actor) => ({
    webhooks: createWebhooks(context, actor),
    resources: createResources(context, actor),
    apiKeys: createApiKeys(context, actor),
    portalSessions: createPortalSessions(context, actor),
    imports: createImports(context, dedupeSecret, actor),
    log: {
      ...createRedelivery(context, actor),
      ...createEarlySending(context, actor),
      ...createMissing(context, actor),
    },
    erasure: createErasure(context, dedupeSecret, actor),
  });
}
