import classes from "./activity.module.css";
import type { Point } from "./spans.ts";

/** How long half and 95% of the replies took, a level for each step, with gaps where no reply came. */
export function ReplyLines({ points, mostMs }: { points: readonly Point[]; mostMs: number }) {
  return (
    <svg
      className={classes["lines"]}
      viewBox={`0 0 ${points.length} 100`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {(["p95", "p50"] as const).map((name) => (
        <path key={name} className={classes[name]} d={pathOf(points, name, mostMs)} />
      ))}
    </svg>
  );
}

function pathOf(points: readonly Point[], name: "p50" | "p95", mostMs: number): string {
  let isOpen = false;
  return points
    .map(({ replyMs }, index) => {
      const begin = isOpen ? "L" : "M";
      isOpen = replyMs !== null;
      if (replyMs === null) return "";
      const y = 100 - (replyMs[name] / mostMs) * 100;
      return `${begin}${index} ${y} H${index + 1}`;
    })
    .join(" ");
}
