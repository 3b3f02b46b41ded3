import type { Client } from "@markethook/client";
import { useState } from "react";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { ErrorView } from "../shared/error-view.tsx";
import { DryRunNotice } from "../shared/dry-run-notice.tsx";
import { LoadingView } from "../shared/loading-view.tsx";
import { PageTitle } from "../shared/page-title.tsx";
import stack from "../shared/stack.module.css";
import { AttemptsTable } from "./attempts-table.tsx";
import { ChangesTable } from "./changes-table.tsx";
import { DisabledTable } from "./disabled-table.tsx";
import { Figures } from "./figures.tsx";
import { InstancesTable } from "./instances-table.tsx";
import { NoticesTable } from "./notices-table.tsx";
import { ServiceFacts } from "./service-facts.tsx";
import { useOverview } from "./use-overview.ts";

/** Whether the service is healthy, on one page. */
export function Overview(props: { client: Client }) {
  // One client for as long as the page is open.
  const [client] = useState(props.client);
  const query = useOverview(client);
  if (query.data === undefined) {
    return query.error === null ? (
      <LoadingView rows={3} height={120} />
    ) : (
      <ErrorView error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  return (
    <div className={stack["stack"]}>
      <PageTitle title="Operator" below="Refreshed every two seconds." />
      <ErrorNotice error={query.error} />
      {query.data.dryRun ? <DryRunNotice allowTargets={query.data.allowTargets} /> : null}
      <Figures overview={query.data} />
      <AttemptsTable overview={query.data} />
      <DisabledTable overview={query.data} />
      <InstancesTable overview={query.data} />
      <NoticesTable overview={query.data} />
      <ChangesTable overview={query.data} />
      <ServiceFacts overview={query.data} />
    </div>
  );
}
