import { MarkethookError } from "@markethook/protocol";
import type { DeliverySummary, WebhookScope, WebhookScopeFilter } from "@markethook/store";
import type { Actor } from "../auth/actor.ts";
import type { AppDeps } from "../app-deps.ts";
import { createFeedMemory } from "./feed-memory.ts";
import { FEED_SETTINGS, type FeedSettings } from "./feed-settings.ts";

/**
 * Live deliveries for watchers. One loop per process runs while there are watchers:
 *
 *   read: watchers whose right goes on -> their webhooks -> the deliveries of these that can change -> the difference to
 *   the reading before -> each changed one, once, to every watcher that it concerns -> wait a second -> read
 *
 * A watcher gets nothing that happened before its first reading, which `open` waits for. A caller that opens first and
 * lists then misses nothing.
 */
export interface DeliveryFeed {
  /** The returned function ends it. @throws `too_many_streams` */
  open(actor: Actor, filter: WebhookScopeFilter, watcher: Watcher): Promise<() => void>;
  /** Ends all streams. */
  close(): void;
}

interface Watcher {
  delivery(delivery: DeliverySummary): void;
  /** More deliveries changed than are sent one by one: list again. */
  skipped(): void;
  /** The session is over, or the service stops. Nothing follows. */
  end(): void;
}

interface Open {
  actor: Actor;
  filter: WebhookScopeFilter;
  watcher: Watcher;
}

const MOST_WEBHOOKS = 5000;
/** Deliveries of each webhook, in each table. */
const WATCHED = 200;
/** Deliveries sent per reading, over all watchers. */
const MOST_CHANGES = 1000;

export function createDeliveryFeed(
  deps: Pick<AppDeps, "store" | "nowMs" | "fault">,
  settings: FeedSettings = FEED_SETTINGS,
): DeliveryFeed {
  const { store } = deps;
  const streams = new Set<Open>();
  const memory = createFeedMemory();
  /** Set for as long as the loop runs. */
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let closed = false;

  function end(stream: Open): void {
    if (!streams.delete(stream)) return;
    stream.watcher.end();
  }

  async function endWhoMayNot(): Promise<void> {
    const now = deps.nowMs();
    const open = [...streams];
    const idsOf = (kind: Actor["kind"]): string[] => [
      ...new Set(open.filter(({ actor }) => actor.kind === kind).map(({ actor }) => actor.id)),
    ];
    const sessions = idsOf("session");
    const allowed = new Set(
      sessions.length === 0 ? [] : await store.portalSessions.stillOpen(sessions),
    );
    if (idsOf("key").length > 0) {
      for (const key of await store.apiKeys.list()) if (key.revokedAt === null) allowed.add(key.id);
    }
    for (const stream of open) {
      const { kind, id, expiresAt } = stream.actor;
      // A session may have been renewed since; the database says whether it is open.
      const isOver = kind === "key" && expiresAt !== null && expiresAt <= now;
      if (isOver || !allowed.has(id)) end(stream);
    }
  }

  async function look(): Promise<void> {
    await endWhoMayNot();
    const open = [...streams];
    if (open.length === 0) return memory.forget();
    const scopes = await store.webhooks.scopes(unique(open), MOST_WEBHOOKS);
    const byNo = new Map(scopes.map((scope) => [scope.no, scope]));
    const watched = await store.log.watch([...byNo.keys()], WATCHED);
    const { seqs, full } = memory.changes([...byNo.keys()], watched);
    const told = seqs.slice(-MOST_CHANGES);
    const changed = told.length === 0 ? [] : await store.log.summaries(told);
    for (const delivery of changed) {
      const scope = byNo.get(delivery.webhookNo);
      if (scope === undefined) continue;
      for (const { filter, watcher } of open) if (fits(scope, filter)) watcher.delivery(delivery);
    }
    const skipped = told.length < seqs.length ? scopes : scopes.filter(({ no }) => full.has(no));
    for (const { filter, watcher } of open) {
      if (skipped.some((scope) => fits(scope, filter))) watcher.skipped();
    }
  }

  /** Runs one reading at a time; a caller that opens waits for one that began after its call. */
  function lookNext(): Promise<void> {
    const next = looking.then(look);
    looking = next.catch((error: unknown) => {
      deps.fault("read live deliveries", error);
    });
    return next;
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = undefined;
    if (closed || streams.size === 0) return;
    timer = setTimeout(() => {
      void lookNext().then(schedule, schedule);
    }, settings.everyMs);
  }

  return {
    async open(actor, filter, watcher) {
      const own = [...streams].filter((stream) => stream.actor.id === actor.id);
      if (closed) throw new MarkethookError("shutting_down");
      if (streams.size >= settings.most || own.length >= settings.mostPerActor) {
        throw new MarkethookError("too_many_streams", { retryAfterSeconds: 5 });
      }
      const stream = { actor, filter, watcher };
      streams.add(stream);
      try {
        await lookNext();
      } catch (error) {
        streams.delete(stream);
        throw error;
      }
      if (timer === undefined) schedule();
      return () => void streams.delete(stream);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const stream of streams) end(stream);
    },
  };
}

function unique(open: readonly Open[]): WebhookScopeFilter[] {
  return [...new Map(open.map(({ filter }) => [JSON.stringify(filter), filter])).values()];
}

function fits(scope: WebhookScope, filter: WebhookScopeFilter): boolean {
  return (
    (filter.ownerId === undefined || filter.ownerId === scope.ownerId) &&
    (filter.resourceId === undefined || filter.resourceId === scope.resourceId) &&
    (filter.webhookId === undefined || filter.webhookId === scope.id)
  );
}
