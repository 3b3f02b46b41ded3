import { type AuditActor, SYSTEM } from "../port/audit.ts";
import { createAudit } from "./audit/audit.ts";
import type { ManagementContext } from "./context.ts";
import { createDeliveryLog } from "./log/delivery-log.ts";
import { createEventReader } from "./log/events.ts";
import { createNoticePosts } from "./notices/notice-posts.ts";
import { createNotices } from "./notices/notices.ts";
import { createChat } from "./webhooks/chat.ts";
import { createHosts } from "./webhooks/hosts.ts";
import { countDue, listInstances } from "./webhooks/statistics.ts";
import type { ActingStore } from "../port/store.ts";
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
 * The parts of a store that both databases have alike. Each adds to `events`, `log`, `instances` and `maintenance` what
 * it does by statements of its own.
 */
export function createCommonParts(
  context: ManagementContext,
  dedupeSecret: Buffer,
  /** For the log, whose reads can take long. */
  logContext = context,
) {
  const { db, reader } = context;
  const actingAs = createActing(context, dedupeSecret);
  const { webhooks, resources, apiKeys, portalSessions, imports } = actingAs(SYSTEM);
  return {
    events: createEventReader(logContext),
    log: createDeliveryLog(logContext),
    instances: { list: () => listInstances(reader) },
    resources,
    webhooks,
    apiKeys,
    portalSessions,
    imports,
    hosts: createHosts(context),
    notices: createNotices(context),
    noticePosts: createNoticePosts(context),
    chat: createChat(context),
    audit: createAudit(context),
    actingAs,
    maintenance: {
      async checkWritable(): Promise<void> {
        await db
          .insertInto("meta")
          .values({ key: "checked", value: "" })
          .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: "" }))
          .execute();
      },
      countDue: (cap: number) => countDue(reader, cap),
    },
  };
}

/**
 * The operations that add audit rows, in the name of an author. It is cheap: one is made for each request that changes
 * something.
 */
function createActing(
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
