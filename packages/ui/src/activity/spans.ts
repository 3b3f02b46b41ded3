import type { Activity } from "@markethook/client";

export type Point = Activity["points"][number];

/** The subject of a chart; empty: everything that the caller may see. */
export interface ActivityScope {
  resourceId?: string;
  webhookId?: string;
}

/** Unix seconds; `to` is exclusive. */
export interface TimeRange {
  from: number;
  to: number;
}

const HOUR_S = 3600;

/** The spans of time that a chart can show. */
export const SPANS = [
  { value: "day", stepHours: 1, steps: 24 },
  { value: "week", stepHours: 6, steps: 28 },
  { value: "month", stepHours: 24, steps: 30 },
] as const;

export type SpanName = (typeof SPANS)[number]["value"];

/**
 * The steps of a span, up to now. They begin at whole hours of UTC, because the service counts by those; of longer steps the
 * first of a day begins at midnight in the reader's time zone, or at the whole hour after it.
 */
export function rangeOf(name: SpanName, now: number): TimeRange & { stepHours: number } {
  const { stepHours, steps } = SPANS.find(({ value }) => value === name) ?? SPANS[0];
  const end = new Date(now);
  if (stepHours === 1) end.setUTCMinutes(60, 0, 0);
  else end.setHours(24, 0, 0, 0);
  const to = Math.ceil(end.getTime() / 1000 / HOUR_S) * HOUR_S;
  return { from: to - steps * stepHours * HOUR_S, to, stepHours };
}

/** From the begin of one step to the end of another, whichever comes first. */
export function rangeBetween(
  points: readonly Point[],
  stepHours: number,
  one: number,
  other: number,
): TimeRange {
  const begin = (index: number): number => Date.parse(points[index]?.at ?? "") / 1000;
  return {
    from: begin(Math.min(one, other)),
    to: begin(Math.max(one, other)) + stepHours * HOUR_S,
  };
}

/** First and last step that have a part in the range; null: none has. */
export function stepsWithin(
  points: readonly Point[],
  stepHours: number,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): { first: number; last: number } | null {
  if (from === undefined && to === undefined) return null;
  const inside = points.flatMap(({ at }, index) => {
    const begin = Date.parse(at) / 1000;
    const isInside = begin + stepHours * HOUR_S > (from ?? 0) && begin < (to ?? Infinity);
    return isInside ? [index] : [];
  });
  const [first] = inside;
  const last = inside.at(-1);
  return first === undefined || last === undefined ? null : { first, last };
}

export function sumOf(points: readonly Point[]): Pick<Point, "delivered" | "retried" | "givenUp"> {
  const sum = { delivered: 0, retried: 0, givenUp: 0 };
  for (const point of points) {
    sum.delivered += point.delivered;
    sum.retried += point.retried;
    sum.givenUp += point.givenUp;
  }
  return sum;
}
