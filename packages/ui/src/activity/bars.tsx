import { useId } from "react";
import classes from "./activity.module.css";
import type { Point } from "./spans.ts";
import { words } from "../words/words.ts";

/** Of a bar, from below. */
const OUTCOMES = ["delivered", "retried", "givenUp"] as const;
/** Of each step, how much of its width its bar takes. */
const BAR = 0.76;

/** A bar for each step, stacked by outcome. A pattern tells the outcomes apart, next to the colour. */
export function Bars({ points, most }: { points: readonly Point[]; most: number }) {
  const id = useId();
  const width = 100 / points.length;
  return (
    <svg className={classes["bars"]} aria-hidden>
      <Patterns id={id} />
      {points.map((point, index) => {
        let below = 0;
        return OUTCOMES.map((outcome) => {
          const count = point[outcome];
          if (count === 0) return null;
          below += count;
          const place = {
            x: `${(index + (1 - BAR) / 2) * width}%`,
            y: `${100 - (below / most) * 100}%`,
            width: `${width * BAR}%`,
            height: `${(count / most) * 100}%`,
          };
          return (
            <g key={`${point.at} ${outcome}`}>
              <rect {...place} className={classes[outcome]} />
              {outcome === "delivered" ? null : <rect {...place} fill={`url(#${id}${outcome})`} />}
            </g>
          );
        });
      })}
    </svg>
  );
}

function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}retried`} width="5" height="5" patternUnits="userSpaceOnUse">
        <path d="M-1 6 L6 -1" className={classes["line"]} />
      </pattern>
      <pattern id={`${id}givenUp`} width="5" height="5" patternUnits="userSpaceOnUse">
        <path d="M0 0 L5 5 M5 0 L0 5" className={classes["line"]} />
      </pattern>
    </defs>
  );
}

/** The meaning of each pattern and line. */
export function Legend() {
  const id = useId();
  return (
    <ul className={classes["legend"]} aria-label={words.activity.legend}>
      {OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <svg width="14" height="14" aria-hidden>
            <Patterns id={id} />
            <rect width="14" height="14" className={classes[outcome]} />
            {outcome === "delivered" ? null : (
              <rect width="14" height="14" fill={`url(#${id}${outcome})`} />
            )}
          </svg>
          {words.activity[outcome]}
        </li>
      ))}
      {(
        [
          ["p50", words.activity.half],
          ["p95", words.activity.most],
        ] as const
      ).map(([name, word]) => (
        <li key={name}>
          <svg width="22" height="14" aria-hidden>
            <path d="M0 7 H22" className={classes[name]} />
          </svg>
          {word}
        </li>
      ))}
    </ul>
  );
}
