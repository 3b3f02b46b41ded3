import type { ActingStore } from "../port/store.ts";
import type { ActingContext } from "./audit/audit-write.ts";
import { createApiKeys } from "./auth/api-keys.ts";
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
export function createActing(context: ActingContext): ActingStore {
  return {
    webhooks: createWebhooks(context),
    resources: createResources(context),
    apiKeys: createApiKeys(context),
    portalSessions: createPortalSessions(context),
    imports: createImports(context),
    log: {
      ...createRedelivery(context),
      ...createEarlySending(context),
      ...createMissing(context),
    },
    erasure: createErasure(context),
  };
}
