import { fullTime, relativeTime, timeToTheMinute } from "./relative-time.ts";
import { useNow } from "./use-now.ts";

/** How long ago or ahead, and the exact time on hovering. Or the time itself, to the second or to the minute. */
export function When({ at, exact }: { at: string; exact?: boolean | "minute" }) {
  const now = useNow();
  const time = Date.parse(at);
  const full = exact === "minute" ? timeToTheMinute(time) : fullTime(time);
  return (
    <time dateTime={at} title={full}>
      {exact === undefined || exact === false ? relativeTime(time, now) : full}
    </time>
  );
}
