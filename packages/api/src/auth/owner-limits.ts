import { MarkethookError } from "@markethook/protocol";
import type { RouteScope } from "./scopes.ts";

/** How often each action is allowed for one owner within any minute; 0: no limit. */
export interface OwnerLimitSettings {
  /** Pings and samples. */
  pings: number;
  /** Single deliveries that are sent again, or before their time. */
  sends: number;
  /** Check-ups of receivers, of a dozen requests each. */
  checkups: number;
  /** URL checks, including those when a URL is saved, and pasted requests that are verified. */
  urlChecks: number;
  /** Replays, sending all waiting deliveries, resuming with held ones, copying. */
  bulkActions: number;
  /** Requests of an owner's sessions that change something or reveal a secret, and are in none of the others. */
  changes: number;
}

/** How a route is counted: each request in one limit, or, as `steps`, by its handler, which knows what a step is. */
export type RouteLimit = "pings" | "sends" | "checkups" | "urlChecks" | "changes" | "steps";

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

export interface OwnerLimits {
  /**
   * Counts an action. Null: the marketplace acts for itself, and its key has its own limit. @throws
   * `owner_limit_reached`
   */
  count(ownerId: string | null, action: keyof OwnerLimitSettings): void;
  /**
   * Counts one request of a bulk action that takes several. A request with a cursor continues one that was counted. A
   * repeated cursor does the same work again, so it counts. @throws `owner_limit_reached`
   */
  countStep(ownerId: string | null, cursor: string | undefined): void;
}

const WINDOW_MS = 60_000;
/** Number of stored owners of each action, and of cursors; the oldest are forgotten first. */
const REMEMBERED = 10_000;

const WORDS: Readonly<Record<keyof OwnerLimitSettings, string>> = {
  pings: "pings and samples",
  sends: "deliveries sent again or before their time",
  checkups: "check-ups",
  urlChecks: "checks of URLs and requests",
  bulkActions: "replays and other bulk actions",
  changes: "changes",
};

/** Counts in the memory of this process, so N instances allow N times as many. */
export function createOwnerLimits(
  settings: OwnerLimitSettings,
  elapsedMs: () => number,
): OwnerLimits {
  const recent = {
    pings: new Map<string, number[]>(),
    sends: new Map<string, number[]>(),
    checkups: new Map<string, number[]>(),
    urlChecks: new Map<string, number[]>(),
    bulkActions: new Map<string, number[]>(),
    changes: new Map<string, number[]>(),
  };
  const cursorsSeen = new Map<string, true>();

  function count(ownerId: string | null, action: keyof OwnerLimitSettings): void {
    const most = settings[action];
    if (ownerId === null || most === 0) return;
    const now = elapsedMs();
    const times = (recent[action].get(ownerId) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest] = times;
    if (oldest !== undefined && times.length >= most) {
      throw new MarkethookError("owner_limit_reached", {
        detail: `There were ${most} ${WORDS[action]} within a minute.`,
        retryAfterSeconds: Math.ceil((oldest + WINDOW_MS - now) / 1000),
      });
    }
    times.push(now);
    remember(recent[action], ownerId, times);
  }

  return {
    count,
    countStep(ownerId, cursor) {
      if (ownerId === null) return;
      if (cursor === undefined || cursorsSeen.has(cursor)) return count(ownerId, "bulkActions");
      remember(cursorsSeen, cursor, true);
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
