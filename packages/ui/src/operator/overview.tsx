import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Client, OperatorOverview } from "@markethook/client";
import { LazyChart } from "../activity/lazy-chart.tsx";
import { DryRunNotice, ErrorNotice } from "../shared/notice.tsx";
import { UnreadView } from "../shared/page-states.tsx";
import { PageTitle } from "../shared/page-title.tsx";
import stack from "../shared/stack.module.css";
import { BarList } from "./bar-list.tsx";
import { hostRows, instanceRows, suspectRows } from "./bar-rows.ts";
import { ServiceFacts } from "./service-facts.tsx";
import {
  AttemptsTable,
  ChangesTable,
  DisabledTable,
  FailingTable,
  InstancesTable,
  NoticesTable,
} from "./tables.tsx";
import { Trends } from "./trends.tsx";
import { useHistory } from "./use-history.ts";
import { words } from "../words/words.ts";
import { keys } from "../api/query-cache.ts";
import classes from "./figures.module.css";
import { byteSize, duration } from "./format.ts";
import { oneDecimal, whole } from "../words/numbers.ts";

/** Whether the service is healthy, on one page. */
export function Overview(props: { client: Client }) {
  // One client for as long as the page is open.
  const [client] = useState(props.client);
  const query = useOverview(client);
  const history = useHistory(query.data, query.dataUpdatedAt);
  if (query.data === undefined) return <UnreadView query={query} rows={3} height={120} />;
  return (
    <div className={stack["stack"]}>
      <PageTitle title={words.operator.title} below={words.operator.refreshed} />
      <ErrorNotice error={query.error} />
      {query.data.dryRun ? <DryRunNotice allowTargets={query.data.allowTargets} /> : null}
      <Figures overview={query.data} />
      <Trends history={history} />
      <LazyChart client={client} scope={{}} />
      <BarList
        title={words.operator.failures}
        about={words.operator.failuresText}
        rows={hostRows(query.data)}
      />
      <BarList
        title={words.operator.suspects}
        about={words.operator.suspectsText}
        rows={suspectRows(query.data)}
      />
      <BarList
        title={words.operator.heartbeats}
        about={words.operator.heartbeatsText(query.data.leaseMs)}
        rows={instanceRows(query.data)}
        full={query.data.leaseMs / 1000}
      />
      <AttemptsTable overview={query.data} />
      <FailingTable overview={query.data} />
      <DisabledTable overview={query.data} />
      <InstancesTable overview={query.data} />
      <NoticesTable overview={query.data} />
      <ChangesTable overview={query.data} />
      <ServiceFacts overview={query.data} />
    </div>
  );
}

const REFRESH_MS = 2000;

function useOverview(client: Client) {
  return useQuery({
    queryKey: keys.operator(),
    refetchInterval: REFRESH_MS,
    gcTime: 0,
    queryFn: async ({ signal }) => await client.operator({ signal }),
  });
}

/** The numbers to look at first. */
function Figures({ overview }: { overview: OperatorOverview }) {
  const figures: readonly (readonly [string, string])[] = [
    [words.operator.dueNow, whole(overview.dueNow)],
    [words.operator.oldestDue, overview.dueNow === 0 ? "–" : duration(overview.oldestDueSeconds)],
    [words.operator.beingSent, whole(overview.leased)],
    [words.operator.waiting, whole(overview.waiting)],
    [words.operator.perSecond, oneDecimal(overview.deliveriesPerSecond)],
    [words.operator.store, byteSize(overview.storeBytes)],
  ];
  return (
    <dl className={classes["figures"]}>
      {figures.map(([name, value]) => (
        <div key={name} className={classes["figure"]}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
