import { fullTime, relativeTime } from "./relative-time.ts";
import { useNow } from "./use-now.ts";

/** How long ago or ahead, with the exact time on hovering. */
export function When({ at, exact }: { at: string; exact?: boolean }) {
  const now = useNow();
  const time = Date.parse(at);
  const full = fullTime(time);
  return (
    <time dateTime={at} title={full}>
      {exact === true ? full : relativeTime(time, now)}
    </time>
  );
}
