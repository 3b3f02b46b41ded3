import { lazy, Suspense } from "react";
import type { ActivityChartProps } from "./activity-chart.tsx";
import classes from "./activity.module.css";
import { words } from "../words/words.ts";

/** A page goes on without its chart. */
const Chart = lazy(async () => {
  try {
    const { ActivityChart } = await import("./activity-chart.tsx");
    return { default: ActivityChart };
  } catch {
    return { default: NoChart };
  }
});

/** The chart, whose code is fetched when it is first shown. Its room is kept, so that nothing moves. */
export function LazyChart(props: ActivityChartProps) {
  return (
    <Suspense fallback={<div className={classes["placeholder"]} />}>
      <Chart {...props} />
    </Suspense>
  );
}

function NoChart(_props: ActivityChartProps) {
  return <p className={classes["chart"]}>{words.activity.unloadable}</p>;
}
