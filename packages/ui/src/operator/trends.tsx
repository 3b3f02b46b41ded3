import type { OperatorOverview } from "@markethook/client";
import { useState } from "react";
import stack from "../shared/stack.module.css";
import { oneDecimal, shortDuration, whole } from "../words/numbers.ts";
import { words } from "../words/words.ts";
import classes from "./operator.module.css";
import { lineOf, type Sample, withSample } from "./samples.ts";

/** The figures that are drawn over time, and how their values are written. */
const TRENDS = [
  ["rate", oneDecimal],
  ["lag", shortDuration],
  ["backlog", whole],
  ["openNow", whole],
] as const;

type Figures = Sample & Record<(typeof TRENDS)[number][0], number>;

/** The figures since the page was opened, oldest first. They are not stored anywhere. */
export function useHistory(overview: OperatorOverview | undefined, at: number): readonly Figures[] {
  const [samples, setSamples] = useState<readonly Figures[]>([]);
  if (overview === undefined || samples.at(-1)?.at === at) return samples;
  const sample: Figures = {
    at,
    rate: overview.deliveriesPerSecond,
    lag: overview.dueNow === 0 ? 0 : overview.oldestDueSeconds,
    backlog: overview.dueNow,
    openNow: overview.leased,
  };
  const next = withSample(samples, sample);
  setSamples(next);
  return next;
}

/** The most important figures over time, since the page was opened. */
export function Trends({ history }: { history: readonly Figures[] }) {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return null;
  const seconds = Math.round((last.at - first.at) / 1000);
  return (
    <div className={classes["trends"]}>
      {TRENDS.map(([name, say]) => {
        const title = words.operator[name];
        const values = history.map((sample) => sample[name]);
        const most = Math.max(...values);
        const least = Math.min(...values);
        const now = say(last[name]);
        return (
          <figure key={name} className={classes["trend"]}>
            <figcaption>
              {title}
              <strong>{now}</strong>
            </figcaption>
            <svg
              viewBox={`0 0 ${Math.max(1, last.at - first.at)} 100`}
              preserveAspectRatio="none"
              role="img"
              aria-label={words.operator.trend(
                title,
                now,
                say(least),
                say(most),
                shortDuration(seconds),
              )}
            >
              <path className={classes["line"]} d={lineOf(history, (sample) => sample[name])} />
            </svg>
            <span className={stack["small"]} aria-hidden>
              {words.operator.most(say(most), shortDuration(seconds))}
            </span>
          </figure>
        );
      })}
    </div>
  );
}
