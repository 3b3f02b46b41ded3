import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Client, OperatorOverview } from "@markethook/client";
import { LazyChart } from "../activity/lazy-chart.tsx";
import { DryRunNotice, ErrorNotice, Facts, Panel } from "../shared/panels.tsx";
import { PageTitle, UnreadView } from "../shared/page.tsx";
import stack from "../shared/stack.module.css";
import { BarList } from "./bar-list.tsx";
import { hostRows, instanceRows, suspectRows } from "./bar-rows.ts";
import { Tables } from "./tables.tsx";
import { Trends, useHistory } from "./trends.tsx";
import { words } from "../words/words.ts";
import { keys } from "../api/query-cache.ts";
import classes from "./operator.module.css";
import { byteSize, oneDecimal, shortDuration, whole } from "../words/numbers.ts";

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
      <Tables overview={query.data} />
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
    [
      words.operator.oldestDue,
      overview.dueNow === 0 ? "–" : shortDuration(overview.oldestDueSeconds),
    ],
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

function ServiceFacts({ overview }: { overview: OperatorOverview }) {
  const targets = overview.allowTargets;
  return (
    <Panel title={words.operator.service}>
      <Facts
        items={[
          [words.operator.version, overview.version],
          [words.operator.runningFor, shortDuration(overview.uptimeSeconds)],
          [words.operator.database, overview.storeKind === "sqlite" ? "SQLite" : "PostgreSQL"],
          [
            words.operator.allowed,
            targets.length === 0
              ? words.operator.none
              : targets.map((target) => <code key={target}>{target} </code>),
          ],
          [words.operator.notices, noticePosting(overview.noticePosts)],
          [
            words.operator.masterKeys,
            overview.masterKeys.map(({ id, encrypts }) => (
              <div key={id}>
                <code>{id}</code>
                {encrypts ? ` ${words.operator.encrypts}` : ""}
              </div>
            )),
          ],
        ]}
      />
    </Panel>
  );
}

function noticePosting(posts: OperatorOverview["noticePosts"]): string {
  if (posts === null) return words.operator.notPosted;
  const { host, unposted, oldestSeconds, failure } = posts;
  const waiting =
    unposted === 0
      ? words.operator.allTaken
      : words.operator.wait(unposted, shortDuration(oldestSeconds));
  return words.operator.postedTo(host, waiting, failure);
}
