import classes from "./activity.module.css";
import { replyTime, stepTime } from "./point-words.ts";
import type { Point } from "./spans.ts";
import { words } from "../words/words.ts";
import { whole } from "../words/numbers.ts";

/** The same numbers, newest first. */
export function ActivityTable({
  points,
  stepHours,
}: {
  points: readonly Point[];
  stepHours: number;
}) {
  return (
    <details className={classes["details"]}>
      <summary>{words.activity.asTable}</summary>
      <div
        className={classes["scroll"]}
        tabIndex={0}
        role="region"
        aria-label={words.activity.chartAsTable}
      >
        <table className={classes["table"]}>
          <thead>
            <tr>
              <th scope="col">{words.shared.from}</th>
              <th scope="col">{words.activity.delivered}</th>
              <th scope="col">{words.activity.triedAgain}</th>
              <th scope="col">{words.activity.givenUp}</th>
              <th scope="col">{words.activity.halfWithin}</th>
              <th scope="col">{words.activity.mostWithin}</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ at, delivered, retried, givenUp, replyMs }) => (
              <tr key={at}>
                <th scope="row">
                  <time dateTime={at}>{stepTime(at, stepHours)}</time>
                </th>
                <td>{whole(delivered)}</td>
                <td>{whole(retried)}</td>
                <td>{whole(givenUp)}</td>
                <td>{replyMs === null ? "–" : replyTime(replyMs.p50)}</td>
                <td>{replyMs === null ? "–" : replyTime(replyMs.p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
