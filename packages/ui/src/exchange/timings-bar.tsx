import type { Attempt } from "@markethook/client";
import classes from "./timings-bar.module.css";
import { words } from "../words/words.ts";
import { oneDecimal, whole } from "../words/numbers.ts";

type Timings = NonNullable<Attempt["timings"]>;

/** Where the time went. A part that was not needed, such as TLS, is a dash. */
export function TimingsBar({ timings }: { timings: Timings }) {
  const parts: readonly (readonly [string, number | null])[] = [
    [words.exchange.dns, timings.dnsMs],
    [words.exchange.connect, timings.connectMs],
    [words.exchange.tls, timings.tlsMs],
    [words.exchange.firstByte, timings.firstByteMs],
    [words.exchange.total, timings.totalMs],
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
  return `${ms < 10 ? oneDecimal(ms) : whole(ms)} ms`;
}
