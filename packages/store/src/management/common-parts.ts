import type { AuditActor } from "../port/audit.ts";
import { createAudit } from "./audit/audit.ts";
import { type ActingContext, actingContext } from "./audit/audit-write.ts";
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
import { databaseNow, type ManagementContext } from "./context.ts";
import { countRows } from "./count-rows.ts";
import { createFollowClock } from "./early/follow-clock.ts";
import { listInstances } from "./instances.ts";
import { createDeliveryLog } from "./log/delivery-log.ts";
import { createEventReader, listDetails } from "./log/explanation.ts";
import { readMeta, writeMeta } from "./meta.ts";
import { createNoticePosts } from "./notices/notice-posts.ts";
import { createNotices } from "./notices/notices.ts";
import { createChat } from "./webhooks/chat.ts";
import { createHosts } from "./webhooks/hosts.ts";

/**
 * The parts of a store that both databases have alike. Each adds to `events`, `log`, `instances` and `maintenance` what
 * it does by statements of its own.
 */
export function createCommonParts(
  context: ManagementContext,
  /** For the log, whose reads can take long. */
  logContext = context,
) {
  const { db, reader } = context;
  const { erasure: _, ...own } = createActing(actingContext(context));
  return {
    ...own,
    events: {
      ...createEventReader(logContext),
      // Senders must not wait behind a long read of the log.
      details: (eventSeqs: readonly number[]) => listDetails(reader, eventSeqs),
    },
    log: { ...createActing(actingContext(logContext)).log, ...createDeliveryLog(logContext) },
    instances: { list: () => listInstances(reader) },
    hosts: createHosts(context),
    notices: createNotices(context),
    noticePosts: createNoticePosts(context),
    chat: createChat(context),
    audit: createAudit(context),
    actingAs: (actor: AuditActor) => createActing(actingContext(context, actor)),
    maintenance: {
      checkWritable: () => writeMeta(db, "checked", ""),
      async noteSettings(settings: string): Promise<string | null> {
        const before = await readMeta(db, "settings");
        // A start writes no more than it must: without a standby, a commit waits.
        if (before !== settings) await writeMeta(db, "settings", settings);
        return before;
      },
      async countDue(cap: number): Promise<number> {
        const due = reader
          .selectFrom("pending as d")
          .innerJoin("webhooks as w", "w.no", "d.webhook_no")
          .select("d.seq")
          .where("w.state", "=", "active")
          .where("d.due_at", "<=", await databaseNow(reader));
        return await countRows(reader, due.limit(cap));
      },
      followClock: createFollowClock(context),
    },
  };
}

/**
 * The operations that add audit rows, in the name of an author. It is cheap: one is made for each request that changes
 * something.
 */
function createActing(context: ActingContext): ActingStore {
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
