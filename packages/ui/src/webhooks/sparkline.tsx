import type { Webhook } from "@markethook/client";
import classes from "./sparkline.module.css";
import { words } from "../words/first-words.ts";
import { formatted, useNow } from "../shared/times.ts";

type Hour = Webhook["health"]["hours"][number];

const HOUR_MS = 3_600_000;
const HEIGHT = 20;
/** Least height of a bar and of each of its parts, so that one attempt among thousands is still seen. */
const LEAST = 3;

/**
 * The last day by hours, oldest first. A bar is as high as its hour was busy, and its upper, hatched part failed. A word
 * for each hour is in its hover text, the sum in its label.
 */
export function Sparkline({ health }: { health: Webhook["health"] }) {
  const thisHour = useNow(HOUR_MS);
  const sum = health.hours.reduce(
    (total, hour) => ({ ok: total.ok + hour.ok, failed: total.failed + hour.failed }),
    { ok: 0, failed: 0 },
  );
  const most = Math.max(1, ...health.hours.map(({ ok, failed }) => ok + failed));
  return (
    <span
      className={classes["bars"]}
      role="img"
      aria-label={words.webhooks.lastDay(sum.ok, sum.failed)}
    >
      {health.hours.map((hour, index) => {
        const { ok, failed } = barOf(hour, most);
        return (
          <span
            key={index}
            className={classes["hour"]}
            title={titleOf(hour, thisHour - (health.hours.length - 1 - index) * HOUR_MS)}
          >
            {failed === 0 ? null : (
              <span className={classes["failed"]} style={{ height: failed }} />
            )}
            {ok === 0 ? null : <span className={classes["ok"]} style={{ height: ok }} />}
          </span>
        );
      })}
    </span>
  );
}

/** Heights of both parts, in pixels. */
function barOf({ ok, failed }: Hour, most: number): Hour {
  if (ok + failed === 0) return { ok: 0, failed: 0 };
  const parts = ok > 0 && failed > 0 ? 2 : 1;
  const height = Math.max(LEAST * parts, Math.round(((ok + failed) / most) * HEIGHT));
  const least = failed === 0 ? 0 : LEAST;
  const highest = height - (ok === 0 ? 0 : LEAST);
  const upper = Math.min(highest, Math.max(least, Math.round((failed / (ok + failed)) * height)));
  return { ok: height - upper, failed: upper };
}

function titleOf({ ok, failed }: Hour, begin: number): string {
  const time = formatted(begin, {
    hour: "2-digit",
    minute: "2-digit",
  });
  return words.webhooks.hour(time, ok, failed);
}
