import type { OperatorOverview } from "@markethook/client";
import classes from "./figures.module.css";
import { byteSize, duration, wholeNumber } from "./format.ts";

/** The numbers to look at first. */
export function Figures({ overview }: { overview: OperatorOverview }) {
  const figures: readonly (readonly [string, string])[] = [
    ["Due now", wholeNumber(overview.dueNow)],
    ["Oldest due", overview.dueNow === 0 ? "–" : duration(overview.oldestDueSeconds)],
    ["Being sent", wholeNumber(overview.leased)],
    ["Waiting", wholeNumber(overview.waiting)],
    ["Sent per second", overview.deliveriesPerSecond.toFixed(1)],
    ["Store", byteSize(overview.storeBytes)],
  ];
  return (
    <dl className={classes["figures"]}>
      {figures.map(([name, value]) => (
        <div key={name} className={classes["figure"]}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
