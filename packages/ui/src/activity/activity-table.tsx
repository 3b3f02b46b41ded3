import { Table } from "../shared/table.tsx";
import classes from "./activity.module.css";
import { replyTime, stepTime } from "./point-words.ts";
import type { Point } from "./spans.ts";
import { words } from "../words/words.ts";
import { whole } from "../words/numbers.ts";

interface ActivityTableProps {
  points: readonly Point[];
  stepHours: number;
}

/** The same numbers, newest first. */
export function ActivityTable({ points, stepHours }: ActivityTableProps) {
  return (
    <details className={classes["details"]}>
      <summary>{words.activity.asTable}</summary>
      <Table
        title={words.activity.chartAsTable}
        rows={points.toReversed()}
        keyOf={({ at }) => at}
        columns={[
          [words.shared.from, ({ at }) => <time dateTime={at}>{stepTime(at, stepHours)}</time>],
          [words.activity.delivered, ({ delivered }) => whole(delivered)],
          [words.activity.triedAgain, ({ retried }) => whole(retried)],
          [words.activity.givenUp, ({ givenUp }) => whole(givenUp)],
          [words.activity.halfWithin, ({ replyMs }) => (replyMs ? replyTime(replyMs.p50) : "–")],
          [words.activity.mostWithin, ({ replyMs }) => (replyMs ? replyTime(replyMs.p95) : "–")],
        ]}
      />
    </details>
  );
}
