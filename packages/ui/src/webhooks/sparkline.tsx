import type { Webhook } from "@markethook/client";
import classes from "./health-strip.module.css";

const HOURS_MS = 3_600_000;

/** The last day by hours, oldest first; a word for each hour is in its hover text, the sum in its label. */
export function Sparkline({ health, now }: { health: Webhook["health"]; now: number }) {
  const sum = health.hours.reduce(
    (total, hour) => ({ ok: total.ok + hour.ok, failed: total.failed + hour.failed }),
    { ok: 0, failed: 0 },
  );
  return (
    <span
      className={classes["strip"]}
      role="img"
      aria-label={`Last 24 hours: ${sum.ok} accepted, ${sum.failed} failed attempts`}
    >
      {health.hours.map((hour, index) => (
        <span
          key={index}
          className={classes["hour"]}
          data-kind={kindOf(hour)}
          title={titleOf(hour, now - (health.hours.length - 1 - index) * HOURS_MS)}
        />
      ))}
    </span>
  );
}

function kindOf({ ok, failed }: { ok: number; failed: number }): string {
  if (ok + failed === 0) return "none";
  if (failed === 0) return "good";
  return ok === 0 ? "bad" : "mixed";
}

function titleOf({ ok, failed }: { ok: number; failed: number }, at: number): string {
  const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
  const begin = hour.format(Math.floor(at / HOURS_MS) * HOURS_MS);
  return ok + failed === 0
    ? `${begin}: nothing sent`
    : `${begin}: ${ok} accepted, ${failed} failed`;
}
