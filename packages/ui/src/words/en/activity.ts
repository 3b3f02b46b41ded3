import { list, whole } from "../numbers.ts";

const replies = (half: string, most: string): string =>
  `half of the replies within ${half}, 95% within ${most}`;

export const activity = {
  title: "Activity",
  loading: "Loading.",
  inAll: (counts: string) => `In all: ${counts}.`,
  inAllAndReplies: (counts: string, half: string, most: string) =>
    `In all: ${counts}; ${replies(half, most)}.`,
  chosen: (counts: string) => `Chosen: ${counts}.`,
  showAllTimes: "Show all times",
  period: "Period",
  periods: {
    day: "Last day, by hour",
    week: "Last week, by 6 hours",
    month: "Last 30 days, by day",
  },
  unreadable: "The chart could not be read. It is tried again by itself.",
  asTable: "Show as a table",
  chartAsTable: "Chart as a table",
  delivered: "Delivered",
  triedAgain: "Tried again",
  givenUp: "Given up",
  halfWithin: "Half of the replies within",
  mostWithin: "95% within",
  legend: "Legend",
  retried: "Failed, tried again",
  half: "Half of the replies",
  most: "95% of the replies",
  stepByStep: "Activity, step by step",
  drag: "Drag over the chart to narrow the log, or use the arrow keys, Shift and Enter.",
  extend: "Shift and the arrows extend, Enter narrows the log.",
  nothingSent: "nothing sent",
  /** "480 delivered, 12 tried again, 1 given up". */
  counts: (delivered: number, retried: number, givenUp: number) =>
    list([
      `${whole(delivered)} delivered`,
      ...(retried === 0 ? [] : [`${whole(retried)} tried again`]),
      ...(givenUp === 0 ? [] : [`${whole(givenUp)} given up`]),
    ]),
  /** "half of the replies within 84 ms, 95% within 310 ms". */
  replies,
  orMore: (time: string) => `${time} or more`,
};
