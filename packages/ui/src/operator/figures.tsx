import type { OperatorOverview } from "@markethook/client";
import classes from "./figures.module.css";
import { byteSize, duration } from "./format.ts";
import { words } from "../words/words.ts";
import { oneDecimal, whole } from "../words/numbers.ts";

/** The numbers to look at first. */
export function Figures({ overview }: { overview: OperatorOverview }) {
  const figures: readonly (readonly [string, string])[] = [
    [words.operator.dueNow, whole(overview.dueNow)],
    [words.operator.oldestDue, overview.dueNow === 0 ? "–" : duration(overview.oldestDueSeconds)],
    [words.operator.beingSent, whole(overview.leased)],
    [words.operator.waiting, whole(overview.waiting)],
    [words.operator.perSecond, oneDecimal(overview.deliveriesPerSecond)],
    [words.operator.store, byteSize(overview.storeBytes)],
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
