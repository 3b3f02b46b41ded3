import { useEffect, useId } from "react";
import type { Activity } from "@markethook/client";
import classes from "./activity.module.css";
import { Bars } from "./bars.tsx";
import { type Point, rangeBetween, type TimeRange } from "./spans.ts";
import { useStepChoice } from "./use-step-choice.ts";
import { words } from "../words/words.ts";
import { milliseconds, whole } from "../words/numbers.ts";
import { formatted } from "../shared/times.ts";

type Counts = Pick<Point, "delivered" | "retried" | "givenUp">;
type ReplyMs = Activity["total"]["replyMs"];

/** "480 delivered, 12 tried again, 1 given up". */
function countWords({ delivered, retried, givenUp }: Counts): string {
  if (delivered + retried + givenUp === 0) return words.activity.nothingSent;
  return words.activity.counts(delivered, retried, givenUp);
}

/** "half of the replies within 84 ms, 95% within 310 ms". */
function replyWords(replyMs: ReplyMs): string | null {
  if (replyMs === null) return null;
  return words.activity.replies(replyTime(replyMs.p50), replyTime(replyMs.p95));
}

/** Above the chart: the results of all attempts, or of those in the chosen range. */
export function sumWords(
  shown: Counts | undefined,
  replyMs: ReplyMs | undefined,
  isChosen: boolean,
): string {
  const { chosen, inAll, inAllAndReplies, loading } = words.activity;
  if (shown === undefined) return loading;
  const counts = countWords(shown);
  if (isChosen) return chosen(counts);
  if (replyMs == null) return inAll(counts);
  return inAllAndReplies(counts, replyTime(replyMs.p50), replyTime(replyMs.p95));
}

/** The last range of reply times has no end. */
const MOST_MS = 10_000;

export function replyTime(ms: number): string {
  return ms >= MOST_MS ? words.activity.orMore("10 s") : milliseconds(ms);
}

const HALF_A_DAY_MS = 12 * 3_600_000;

/**
 * "18 Nov, 14:00", or the day where steps are days: that in which most of the step lies. It begins an hour before that day
 * where the clocks were changed since.
 */
export function stepTime(at: string, stepHours: number): string {
  const begin = Date.parse(at);
  const day = { day: "numeric", month: "short" } as const;
  return stepHours >= 24
    ? formatted(begin + HALF_A_DAY_MS, day)
    : formatted(begin, { ...day, hour: "2-digit", minute: "2-digit" });
}

interface PlotProps {
  activity: Activity;
  /** The range of times that the log is narrowed to. */
  chosen: { first: number; last: number } | null;
  onRange: ((range: TimeRange | null) => void) | undefined;
}

/** Bars and lines over the same steps. For a screen reader it is a list of steps, of which some can be chosen. */
export function Plot({ activity, chosen, onRange }: PlotProps) {
  const { points, stepHours } = activity;
  const id = useId();
  const hint = useId();
  const { choice, isDragging, settle, handlers } = useStepChoice({
    steps: points.length,
    onChosen: (one, other) => onRange?.(rangeBetween(points, stepHours, one, other)),
    onCleared: () => onRange?.(null),
  });
  useEffect(settle, [chosen?.first, chosen?.last]);
  const most = Math.max(
    1,
    ...points.map(({ delivered, retried, givenUp }) => delivered + retried + givenUp),
  );
  const mostMs = Math.max(0, ...points.map(({ replyMs }) => replyMs?.p95 ?? 0));
  const isExtended = choice !== null && choice.anchor !== choice.active;
  const band =
    choice !== null && (isDragging || isExtended)
      ? {
          first: Math.min(choice.anchor, choice.active),
          last: Math.max(choice.anchor, choice.active),
        }
      : chosen;
  const active = choice === null ? undefined : points[choice.active];
  return (
    <div className={classes["plot"]}>
      <span className={classes["scale"]} aria-hidden>
        {whole(most)}
      </span>
      <div
        className={classes["steps"]}
        role="listbox"
        tabIndex={0}
        aria-label={words.activity.stepByStep}
        aria-orientation="horizontal"
        aria-multiselectable
        aria-describedby={onRange === undefined ? undefined : hint}
        aria-activedescendant={choice === null ? undefined : `${id}${choice.active}`}
        {...handlers}
      >
        {points.map((point, index) => (
          <div
            key={point.at}
            id={`${id}${index}`}
            role="option"
            className={classes["step"]}
            title={stepWords(point, stepHours)}
            aria-label={stepWords(point, stepHours)}
            aria-selected={band !== null && index >= band.first && index <= band.last}
            data-active={choice?.active === index || undefined}
          />
        ))}
        <Bars points={points} most={most} />
        <ReplyLines points={points} mostMs={mostMs} />
        {mostMs === 0 ? null : (
          <span className={classes["replyScale"]} aria-hidden>
            {replyTime(mostMs)}
          </span>
        )}
      </div>
      <div className={classes["times"]} aria-hidden>
        {[0, Math.floor(points.length / 2), points.length - 1].map((index) => (
          <span key={index}>{stepTime(points[index]?.at ?? "", stepHours)}</span>
        ))}
      </div>
      <p className={classes["active"]}>
        {active === undefined ? "" : stepWords(active, stepHours)}
        {onRange === undefined ? null : (
          <span id={hint} className={classes["hint"]}>
            {active === undefined ? words.activity.drag : ` · ${words.activity.extend}`}
          </span>
        )}
      </p>
    </div>
  );
}

function stepWords(point: Activity["points"][number], stepHours: number): string {
  const replies = replyWords(point.replyMs);
  const counts = `${stepTime(point.at, stepHours)}: ${countWords(point)}`;
  return replies === null ? counts : `${counts}; ${replies}`;
}

/** How long half and 95% of the replies took, a level for each step, with gaps where no reply came. */
function ReplyLines({ points, mostMs }: { points: readonly Point[]; mostMs: number }) {
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
