import { MarkethookError } from "@markethook/protocol";

/** How often what may be done for one owner within any minute; 0: no limit. */
export interface OwnerLimitSettings {
  /** Samples count too. */
  pings: number;
  /** Check-ups of receivers, of a dozen requests each. */
  checkups: number;
  /** Also those that come with saving a URL. */
  urlChecks: number;
  /** Replays, sending all that waits, resuming with what was held, copying. */
  bulkActions: number;
}

export interface OwnerLimits {
  /** Null: the marketplace acts for itself, and its key has its own limit. @throws `owner_limit_reached` */
  count(ownerId: string | null, action: keyof OwnerLimitSettings): void;
  /**
   * One request of a bulk action that takes several. With a cursor it goes on with what was counted already; a cursor
   * that comes a second time would do the same again, so it counts. @throws `owner_limit_reached`
   */
  countStep(ownerId: string | null, cursor: string | undefined): void;
}

const WINDOW_MS = 60_000;
/** Owners of each action, and cursors, that are remembered; the ones that were seen longest ago are forgotten first. */
const REMEMBERED = 10_000;

const WORDS: Readonly<Record<keyof OwnerLimitSettings, string>> = {
  pings: "pings and samples",
  checkups: "check-ups",
  urlChecks: "URL checks",
  bulkActions: "replays and other bulk actions",
};

/** Counted in the memory of this process: several instances allow as many times more. */
export function createOwnerLimits(
  settings: OwnerLimitSettings,
  elapsedMs: () => number,
): OwnerLimits {
  const recent = {
    pings: new Map<string, number[]>(),
    checkups: new Map<string, number[]>(),
    urlChecks: new Map<string, number[]>(),
    bulkActions: new Map<string, number[]>(),
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
