import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Activity, Client } from "@markethook/client";
import { keys, REFRESH_MS } from "../api/query-cache.ts";
import { Panel } from "../shared/panels.tsx";
import { serviceNow } from "../shared/times.ts";
import classes from "./activity.module.css";
import { Legend } from "./bars.tsx";
import { Plot, replyTime, stepTime, sumWords } from "./plot.tsx";
import {
  type ActivityScope,
  rangeOf,
  type SpanName,
  SPANS,
  stepsWithin,
  sumOf,
  type TimeRange,
} from "./spans.ts";
import { words } from "../words/words.ts";
import { Table } from "../shared/table.tsx";
import { whole } from "../words/numbers.ts";

export interface ActivityChartProps {
  client: Client;
  scope: ActivityScope;
  /** The range of the log, and how to change it; absent if there is no log. */
  log?: {
    range: { from?: number | undefined; to?: number | undefined };
    onRange: (range: TimeRange | null) => void;
  };
  /** Shown next to the chosen range. */
  actions?: ReactNode;
}

/** Attempts over time, by outcome, and how long replies took. */
export function ActivityChart({ client, scope, log, actions }: ActivityChartProps) {
  const [span, setSpan] = useState<SpanName>("day");
  const { data, error, isPlaceholderData } = useActivity(client, scope, span);
  const chosen =
    data === undefined || log === undefined
      ? null
      : stepsWithin(data.points, data.stepHours, log.range);
  const isNarrowed = log?.range.from !== undefined || log?.range.to !== undefined;
  const shown =
    data === undefined || chosen === null
      ? data?.total
      : sumOf(data.points.slice(chosen.first, chosen.last + 1));
  return (
    <div className={classes["chart"]}>
      <Panel
        title={words.activity.title}
        about={
          <span role="status" className={classes["sum"]}>
            {/* The chart from before stays until that of this scope and period is read. Its sum would be wrong. */}
            {sumWords(
              isPlaceholderData ? undefined : shown,
              chosen === null ? data?.total.replyMs : undefined,
              chosen !== null,
            )}
          </span>
        }
        actions={
          <>
            {isNarrowed ? (
              <>
                {actions}
                <Button size="xs" variant="default" onClick={() => log?.onRange(null)}>
                  {words.activity.showAllTimes}
                </Button>
              </>
            ) : null}
            <NativeSelect
              size="xs"
              aria-label={words.activity.period}
              data={SPANS.map(({ value }) => ({ value, label: words.activity.periods[value] }))}
              value={span}
              // The options' values are those of SPANS.
              onChange={(event) => setSpan(event.currentTarget.value as SpanName)}
            />
          </>
        }
      >
        {data === undefined ? (
          <div className={classes["reserved"]}>
            {error === null ? null : <p>{words.activity.unreadable}</p>}
          </div>
        ) : (
          <>
            <Plot key={data.stepHours} activity={data} chosen={chosen} onRange={log?.onRange} />
            <Legend />
            <ActivityTable {...data} />
          </>
        )}
      </Panel>
    </div>
  );
}

function useActivity(client: Client, scope: ActivityScope, span: SpanName) {
  return useQuery({
    queryKey: keys.activity(scope, span),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      await client.deliveries.activity({ ...scope, ...rangeOf(span, serviceNow()) }, { signal }),
  });
}

/** The same numbers, newest first. */
function ActivityTable({ points, stepHours }: Activity) {
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
