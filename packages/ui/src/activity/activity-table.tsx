import classes from "./activity.module.css";
import { count, milliseconds, stepTime } from "./point-words.ts";
import type { Point } from "./spans.ts";

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
      <summary>Show as a table</summary>
      <div className={classes["scroll"]} tabIndex={0} role="region" aria-label="Chart as a table">
        <table className={classes["table"]}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Delivered</th>
              <th scope="col">Tried again</th>
              <th scope="col">Given up</th>
              <th scope="col">Half of the replies within</th>
              <th scope="col">95% within</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ at, delivered, retried, givenUp, replyMs }) => (
              <tr key={at}>
                <th scope="row">
                  <time dateTime={at}>{stepTime(at, stepHours)}</time>
                </th>
                <td>{count(delivered)}</td>
                <td>{count(retried)}</td>
                <td>{count(givenUp)}</td>
                <td>{replyMs === null ? "–" : milliseconds(replyMs.p50)}</td>
                <td>{replyMs === null ? "–" : milliseconds(replyMs.p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
