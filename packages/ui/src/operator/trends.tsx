import classes from "./trends.module.css";
import { duration, wholeNumber } from "./format.ts";
import type { Sample } from "./use-history.ts";

const TRENDS: readonly {
  title: string;
  of: (sample: Sample) => number;
  words: (value: number) => string;
}[] = [
  { title: "Rate, sent per second", of: ({ perSecond }) => perSecond, words: (v) => v.toFixed(1) },
  { title: "Lag, age of the oldest due", of: (one) => one.oldestDueSeconds, words: duration },
  { title: "Backlog, due and not sent", of: ({ due }) => due, words: wholeNumber },
  { title: "Open, being sent", of: ({ leased }) => leased, words: wholeNumber },
];

/** The most important figures over time, since the page was opened. */
export function Trends({ history }: { history: readonly Sample[] }) {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return null;
  const seconds = Math.round((last.at - first.at) / 1000);
  return (
    <div className={classes["trends"]}>
      {TRENDS.map(({ title, of, words }) => {
        const values = history.map(of);
        const most = Math.max(...values);
        const least = Math.min(...values);
        const now = words(of(last));
        return (
          <figure key={title} className={classes["trend"]}>
            <figcaption>
              {title}
              <strong>{now}</strong>
            </figcaption>
            <svg
              viewBox={`0 0 ${Math.max(1, values.length - 1)} 100`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title}: now ${now}; between ${words(least)} and ${words(most)} over the last ${duration(seconds)}`}
            >
              <path className={classes["line"]} d={pathOf(values, most)} />
            </svg>
            <span className={classes["about"]} aria-hidden>
              {`most ${words(most)}, over ${duration(seconds)}`}
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
