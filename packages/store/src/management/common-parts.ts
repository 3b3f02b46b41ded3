import type { AuditActor } from "../port/audit.ts";
import { createActing } from "./acting-store.ts";
import { createAudit } from "./audit/audit.ts";
import { actingContext } from "./audit/audit-write.ts";
import type { ManagementContext } from "./context.ts";
import { createFollowClock } from "./early/follow-clock.ts";
import { createDeliveryLog } from "./log/delivery-log.ts";
import { createEventReader } from "./log/events.ts";
import { createNoticePosts } from "./notices/notice-posts.ts";
import { createNotices } from "./notices/notices.ts";
import { createChat } from "./webhooks/chat.ts";
import { createHosts } from "./webhooks/hosts.ts";
import { countDue, listInstances } from "./webhooks/statistics.ts";

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
    events: createEventReader(logContext),
    log: { ...createActing(actingContext(logContext)).log, ...createDeliveryLog(logContext) },
    instances: { list: () => listInstances(reader) },
    hosts: createHosts(context),
    notices: createNotices(context),
    noticePosts: createNoticePosts(context),
    chat: createChat(context),
    audit: createAudit(context),
    actingAs: (actor: AuditActor) => createActing(actingContext(context, actor)),
    maintenance: {
      async checkWritable(): Promise<void> {
        await db
          .insertInto("meta")
          .values({ key: "checked", value: "" })
          .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: "" }))
          .execute();
      },
      async noteSettings(settings: string): Promise<string | null> {
        const row = { key: "settings", value: settings };
        const before = await db
          .selectFrom("meta")
          .select("value")
          .where("key", "=", row.key)
          .executeTakeFirst();
        // A start writes no more than it must: without a standby, a commit waits.
        if (before?.value === settings) return settings;
        await db
          .insertInto("meta")
          .values(row)
          .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: settings }))
          .execute();
        return before?.value ?? null;
      },
      countDue: (cap: number) => countDue(reader, cap),
      followClock: createFollowClock(context),
    },
  };
}
