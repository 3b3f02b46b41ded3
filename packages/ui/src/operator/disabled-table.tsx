import type { OperatorOverview } from "@markethook/client";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import { DataTable } from "./data-table.tsx";

export function DisabledTable({ overview }: { overview: OperatorOverview }) {
  const { active, paused, disabled } = overview.webhooks;
  return (
    <DataTable
      title="Disabled webhooks"
      about={`${active} active, ${paused} paused, ${disabled} disabled. The 20 that changed last:`}
      head={["Host", "Reason", "Owner", "Resource", "Changed"]}
      none="None is disabled."
      rows={overview.disabledList.map((webhook) => ({
        key: webhook.id,
        cells: [
          <UserText key="host">{webhook.host}</UserText>,
          webhook.reason?.replaceAll("_", " ") ?? "",
          <UserText key="owner">{webhook.ownerId}</UserText>,
          <UserText key="resource">{webhook.resourceId}</UserText>,
          <When key="when" at={webhook.updatedAt} />,
        ],
      }))}
    />
  );
}
