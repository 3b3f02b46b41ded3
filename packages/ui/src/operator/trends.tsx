import classes from "./trends.module.css";
import { duration } from "./format.ts";
import type { Sample } from "./use-history.ts";
import { words } from "../words/words.ts";
import { oneDecimal, whole } from "../words/numbers.ts";

const TRENDS: readonly {
  name: "rate" | "lag" | "backlog" | "openNow";
  of: (sample: Sample) => number;
  say: (value: number) => string;
}[] = [
  { name: "rate", of: ({ perSecond }) => perSecond, say: oneDecimal },
  { name: "lag", of: (one) => one.oldestDueSeconds, say: duration },
  { name: "backlog", of: ({ due }) => due, say: whole },
  { name: "openNow", of: ({ leased }) => leased, say: whole },
];

/** The most important figures over time, since the page was opened. */
export function Trends({ history }: { history: readonly Sample[] }) {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return null;
  const seconds = Math.round((last.at - first.at) / 1000);
  return (
    <div className={classes["trends"]}>
      {TRENDS.map(({ name, of, say }) => {
        const title = words.operator[name];
        const values = history.map(of);
        const most = Math.max(...values);
        const least = Math.min(...values);
        const now = say(of(last));
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
                duration(seconds),
              )}
            >
              <path className={classes["line"]} d={pathOf(values, most)} />
            </svg>
            <span className={classes["about"]} aria-hidden>
              {words.operator.most(say(most), duration(seconds))}
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
