import type { OperatorOverview } from "@markethook/client";
import { useState } from "react";
import stack from "../shared/stack.module.css";
import { oneDecimal, shortDuration, whole } from "../words/numbers.ts";
import { words } from "../words/words.ts";
import classes from "./operator.module.css";

/** What is drawn over time, and how its values are written. */
const TRENDS = [
  ["rate", oneDecimal],
  ["lag", shortDuration],
  ["backlog", whole],
  ["openNow", whole],
] as const;

type Sample = Record<(typeof TRENDS)[number][0], number> & {
  /** Milliseconds since 1970. */
  at: number;
};

/** A quarter of an hour, at one every two seconds. */
const MOST = 450;

/** The figures since the page was opened, oldest first. They are not stored anywhere. */
export function useHistory(overview: OperatorOverview | undefined, at: number): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  if (overview === undefined || samples.at(-1)?.at === at) return samples;
  const sample: Sample = {
    at,
    rate: overview.deliveriesPerSecond,
    lag: overview.dueNow === 0 ? 0 : overview.oldestDueSeconds,
    backlog: overview.dueNow,
    openNow: overview.leased,
  };
  const next = [...samples, sample].slice(-MOST);
  setSamples(next);
  return next;
}

/** The most important figures over time, since the page was opened. */
export function Trends({ history }: { history: readonly Sample[] }) {
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
              viewBox={`0 0 ${Math.max(1, values.length - 1)} 100`}
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
              <path className={classes["line"]} d={pathOf(values, most)} />
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

function pathOf(values: readonly number[], most: number): string {
  const height = (value: number): number => (most === 0 ? 100 : 100 - (value / most) * 100);
  const places = values.map((value, index) => `${index} ${height(value)}`);
  // One figure alone is drawn as a level.
  return `M${(places.length === 1 ? [...places, `1 ${height(values[0] ?? 0)}`] : places).join(" L")}`;
}
