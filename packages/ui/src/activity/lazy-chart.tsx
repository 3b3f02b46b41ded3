import { lazy, Suspense } from "react";
import type { ActivityChartProps } from "./activity-chart.tsx";
import classes from "./activity.module.css";

const Chart = lazy(async () => {
  const { ActivityChart } = await import("./activity-chart.tsx");
  return { default: ActivityChart };
});

/** The chart, whose code is fetched when it is first shown. Its room is kept, so that nothing moves. */
export function LazyChart(props: ActivityChartProps) {
  return (
    <Suspense fallback={<div className={classes["placeholder"]} />}>
      <Chart {...props} />
    </Suspense>
  );
}
