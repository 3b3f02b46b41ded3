import type { OperatorOverview } from "@markethook/client";
import { UserText, When } from "../shared/inline-text.tsx";
import { DataTable } from "./data-table.tsx";
import { words } from "../words/words.ts";

/** Whose servers are failing, and how. */
export function FailingTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title={words.operator.failingTitle}
      about={words.operator.failingText}
      head={[
        words.operator.host,
        words.operator.outcome,
        words.operator.owner,
        words.operator.webhook,
        words.operator.since,
      ]}
      none={words.operator.noneFailing}
      rows={overview.failingList.map((webhook) => ({
        key: webhook.id,
        cells: [
          <UserText key="host">{webhook.host}</UserText>,
          <code key="outcome">
            {[webhook.lastOutcome, webhook.lastStatus].filter((part) => part !== null).join(" ")}
          </code>,
          <UserText key="owner">{webhook.ownerId}</UserText>,
          <code key="webhook">{webhook.id}</code>,
          webhook.failingSince === null ? "" : <When key="since" at={webhook.failingSince} />,
        ],
      }))}
    />
  );
}
