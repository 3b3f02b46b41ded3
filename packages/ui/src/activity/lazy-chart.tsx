import { lazyPart } from "../shared/lazy-part.tsx";
import classes from "./activity.module.css";

/** The chart, whose code is fetched when it is first shown. Its room is kept, so that nothing moves. */
export const LazyChart = lazyPart(
  async () => (await import("./activity-chart.tsx")).ActivityChart,
  { Waiting: () => <div className={classes["placeholder"]} /> },
);
