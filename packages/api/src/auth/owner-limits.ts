import { MarkethookError } from "@markethook/protocol";
import type { FastifyInstance } from "fastify";
import { actingOwner, actorOf } from "./actor.ts";
import type { RouteScope } from "./scopes.ts";

/** The limited actions of one owner, as a refusal names them. */
const ACTIONS = {
  pings: "pings and samples",
  sends: "deliveries sent again or before their time",
  /** Of a dozen requests each. */
  checkups: "check-ups",
  /** Including checks when a URL is saved, and pasted requests that are verified. */
  urlChecks: "checks of URLs and requests",
  /** Replays, sending all waiting deliveries, resuming with held ones, copying. */
  bulkActions: "replays and other bulk actions",
  /** Requests of an owner's sessions that change something or reveal a secret, and are in none of the others. */
  changes: "changes",
};
type Action = keyof typeof ACTIONS;

/** How often each action is allowed for one owner within any minute; 0: no limit. */
export type OwnerLimitSettings = Record<Action, number>;

/** How a route is counted: each request in one limit, or, as `steps`, by its handler, which knows what a step is. */
export type RouteLimit = Exclude<Action, "bulkActions"> | "steps";

/** Scopes whose requests all change something, or reveal a secret: each adds to the audit log for ever. */
const CHANGING: ReadonlySet<RouteScope> = new Set([
  "webhooks:write",
  "deliveries:write",
  "secrets:read",
]);

/** The limit of a route that names none. */
export function limitOf(scope: RouteScope): RouteLimit | null {
  return CHANGING.has(scope) ? "changes" : null;
}

export type OwnerLimits = ReturnType<typeof createOwnerLimits>;

const WINDOW_MS = 60_000;
/** Numbers of stored owners' actions and cursors; the oldest are forgotten first. */
const MOST_ACTIONS = 50_000;
const MOST_CURSORS = 10_000;

/** Counts in the memory of this process, so N instances allow N times as many. */
export function createOwnerLimits(settings: Partial<OwnerLimitSettings>, elapsedMs: () => number) {
  /** By action and owner. */
  const recent = new Map<string, number[]>();
  const cursorsSeen = new Map<string, true>();

  /**
   * Counts an action. Null: the marketplace acts for itself, and its key has its own limit. @throws
   * `owner_limit_reached`
   */
  function count(ownerId: string | null, action: Action): void {
    const most = settings[action] ?? 0;
    if (ownerId === null || most === 0) return;
    const now = elapsedMs();
    const key = `${action} ${ownerId}`;
    const times = (recent.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest] = times;
    if (oldest !== undefined && times.length >= most) {
      throw new MarkethookError("owner_limit_reached", {
        detail: `There were ${most} ${ACTIONS[action]} within a minute.`,
        retryAfterSeconds: Math.ceil((oldest + WINDOW_MS - now) / 1000),
      });
    }
    times.push(now);
    remember(recent, key, times, MOST_ACTIONS);
  }

  return {
    count,
    /**
     * Counts one request of a bulk action that takes several. A request with a cursor continues one that was counted. A
     * repeated cursor does the same work again, so it counts. @throws `owner_limit_reached`
     */
    countStep(ownerId: string | null, cursor: string | undefined): void {
      if (ownerId === null) return;
      if (cursor === undefined || cursorsSeen.has(cursor)) return count(ownerId, "bulkActions");
      remember(cursorsSeen, cursor, true, MOST_CURSORS);
    },
  };
}

/**
 * Counts each request in the limit that its operation names. Changes are those of sessions: a marketplace that keeps
 * thousands of webhooks by its key, in the name of owners, has that key's rate.
 */
export function useOwnerLimits(app: FastifyInstance, limits: OwnerLimits): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const limit = request.routeOptions.config.limit ?? null;
    if (limit !== null && limit !== "steps") {
      const owner = actingOwner(request);
      limits.count(limit === "changes" ? actorOf(request).ownerId : owner, limit);
    }
    done();
  });
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
