import { MarkethookError } from "@markethook/protocol";
import type { DeliverySummary, WebhookScope, WebhookScopeFilter } from "@markethook/store";
import type { Actor } from "../auth/actor.ts";
import type { AppDeps, FeedSettings } from "../app-deps.ts";
import { createFeedMemory } from "./feed-memory.ts";

export const FEED_SETTINGS: FeedSettings = { everyMs: 1000, most: 500, mostPerOwner: 20 };

interface Watcher {
  delivery(delivery: DeliverySummary): void;
  /** More deliveries changed than are sent one by one: list again. It comes before those, so that all is known up to it. */
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
/** Deliveries in each table: of each webhook, and of all together, which limits those of each where many are watched. */
const WATCHED = 200;
const WATCHED_IN_ALL = 5000;
/** Deliveries sent per reading, over all watchers. */
const MOST_CHANGES = 1000;

/**
 * Live deliveries for watchers. One loop per process runs while there are watchers:
 *
 *   read: watchers whose right goes on -> their webhooks -> the deliveries of these that can change -> the difference to
 *   the reading before -> each changed one, once, to every watcher that it concerns -> wait a second -> read
 *
 * A watcher gets nothing that happened before its first reading, which `open` waits for. A caller that opens first and
 * lists then misses nothing.
 */
export class DeliveryFeed {
  readonly #deps: Pick<AppDeps, "store" | "fault">;
  readonly #settings: FeedSettings;
  readonly #streams = new Set<Open>();
  readonly #memory = createFeedMemory();
  /** True if some changes are in the memory that could not be told, because they could not be read. */
  #hasUntold = false;
  /** Set for as long as the loop runs. */
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: Pick<AppDeps, "store" | "fault">, settings: FeedSettings = FEED_SETTINGS) {
    this.#deps = deps;
    this.#settings = settings;
  }

  /** The returned function ends it. @throws `too_many_streams` */
  async open(actor: Actor, filter: WebhookScopeFilter, watcher: Watcher): Promise<() => void> {
    const { most, mostPerOwner } = this.#settings;
    const own = [...this.#streams].filter((stream) => isOneOwner(stream.actor, actor));
    if (this.#closed) throw new MarkethookError("shutting_down");
    if (this.#streams.size >= most || own.length >= mostPerOwner) {
      throw new MarkethookError("too_many_streams", { retryAfterSeconds: 5 });
    }
    const stream = { actor, filter, watcher };
    this.#streams.add(stream);
    try {
      await this.#lookNext();
    } catch (error) {
      this.#streams.delete(stream);
      throw error;
    }
    if (this.#timer === undefined) this.#schedule();
    return () => void this.#streams.delete(stream);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams) this.#end(stream);
  }

  #end(stream: Open): void {
    if (!this.#streams.delete(stream)) return;
    stream.watcher.end();
  }

  async #endWhoMayNot(): Promise<void> {
    const { store } = this.#deps;
    const open = [...this.#streams];
    const idsOf = (kind: Actor["kind"]): string[] => [
      ...new Set(open.filter(({ actor }) => actor.kind === kind).map(({ actor }) => actor.id)),
    ];
    const sessions = idsOf("session");
    const allowed = new Set(
      sessions.length === 0 ? [] : await store.portalSessions.stillOpen(sessions),
    );
    if (idsOf("key").length > 0) {
      for (const key of await store.apiKeys.list()) if (!key.hasEnded) allowed.add(key.id);
    }
    for (const stream of open) if (!allowed.has(stream.actor.id)) this.#end(stream);
  }

  async #look(): Promise<void> {
    const { store } = this.#deps;
    await this.#endWhoMayNot();
    const open = [...this.#streams];
    if (open.length === 0) {
      this.#hasUntold = false;
      return this.#memory.forget();
    }
    const scopes = await store.webhooks.scopes(unique(open), MOST_WEBHOOKS);
    const byNo = new Map(scopes.map((scope) => [scope.no, scope]));
    const nos = [...byNo.keys()];
    const each = watchedOfEach(nos.length);
    const watched = await store.log.watch(nos, each);
    const { seqs, full } = this.#memory.changes(nos, watched, each);
    const told = seqs.slice(-MOST_CHANGES);
    const skipsAll = this.#hasUntold || told.length < seqs.length;
    this.#hasUntold ||= told.length > 0;
    const changed = told.length === 0 ? [] : await store.log.summaries(told);
    this.#hasUntold = false;
    const skipped = skipsAll ? scopes : scopes.filter(({ no }) => full.has(no));
    for (const { filter, watcher } of open) {
      if (skipped.some((scope) => fits(scope, filter))) watcher.skipped();
    }
    for (const delivery of changed) {
      const scope = byNo.get(delivery.webhookNo);
      if (scope === undefined) continue;
      for (const { filter, watcher } of open) if (fits(scope, filter)) watcher.delivery(delivery);
    }
  }

  /** Runs one reading at a time; a caller that opens waits for one that began after its call. */
  #lookNext(): Promise<void> {
    const next = this.#looking.then(() => this.#look());
    this.#looking = next.catch((error: unknown) => {
      this.#deps.fault("read live deliveries", error);
    });
    return next;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed || this.#streams.size === 0) return;
    this.#timer = setTimeout(() => {
      const again = (): void => this.#schedule();
      void this.#lookNext().then(again, again);
    }, this.#settings.everyMs);
  }
}

/** In few steps, because all that a webhook holds is listed again after a change. */
function watchedOfEach(webhooks: number): number {
  let each = WATCHED;
  while (each > 1 && each * webhooks > WATCHED_IN_ALL) each = Math.floor(each / 2);
  return each;
}

/** All sessions of an owner, or one key. */
function isOneOwner(one: Actor, other: Actor): boolean {
  return one.ownerId === other.ownerId && (one.ownerId !== null || one.id === other.id);
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
