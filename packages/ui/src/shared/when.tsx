import { fullTime, relativeTime, timeInBothZones, timeToTheMinute } from "./relative-time.ts";
import { useNow } from "./use-now.ts";

/** How long ago or ahead, or the time itself, to the second or to the minute. On hovering the exact time with its zone, and in UTC. */
export function When({ at, exact }: { at: string; exact?: boolean | "minute" }) {
  const now = useNow();
  const time = Date.parse(at);
  const full = exact === "minute" ? timeToTheMinute(time) : fullTime(time);
  return (
    <time dateTime={at} title={exact === "minute" ? full : timeInBothZones(time)}>
      {exact === undefined || exact === false ? relativeTime(time, now) : full}
    </time>
  );
}
