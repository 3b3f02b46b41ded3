import type { Attempt } from "@markethook/client";
import classes from "./timings-bar.module.css";

type Timings = NonNullable<Attempt["timings"]>;

/** Where the time went. A part that was not needed, such as TLS, is a dash. */
export function TimingsBar({ timings }: { timings: Timings }) {
  const parts: readonly (readonly [string, number | null])[] = [
    ["DNS", timings.dnsMs],
    ["Connect", timings.connectMs],
    ["TLS", timings.tlsMs],
    ["First byte", timings.firstByteMs],
    ["Total", timings.totalMs],
  ];
  return (
    <dl className={classes["timings"]}>
      {parts.map(([name, ms]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{ms === null ? "–" : milliseconds(ms)}</dd>
        </div>
      ))}
    </dl>
  );
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
