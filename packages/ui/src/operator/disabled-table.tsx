import type { OperatorOverview } from "@markethook/client";
import { UserText, When } from "../shared/inline-text.tsx";
import { DataTable } from "./data-table.tsx";
import { words } from "../words/words.ts";

export function DisabledTable({ overview }: { overview: OperatorOverview }) {
  const { active, paused, disabled } = overview.webhooks;
  return (
    <DataTable
      title={words.operator.disabledTitle}
      about={words.operator.disabledText(active, paused, disabled)}
      head={[
        words.operator.host,
        words.operator.reason,
        words.operator.owner,
        words.operator.resource,
        words.operator.changed,
      ]}
      none={words.operator.noneDisabled}
      rows={overview.disabledList.map((webhook) => ({
        key: webhook.id,
        cells: [
          <UserText key="host">{webhook.host}</UserText>,
          <code key="reason">{webhook.reason ?? ""}</code>,
          <UserText key="owner">{webhook.ownerId}</UserText>,
          <UserText key="resource">{webhook.resourceId}</UserText>,
          <When key="when" at={webhook.updatedAt} />,
        ],
      }))}
    />
  );
}
