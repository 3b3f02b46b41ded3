import type { OperatorOverview } from "@markethook/client";
import { When } from "../shared/when.tsx";
import { DataTable } from "./data-table.tsx";

export function InstancesTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title="Instances"
      head={["Name", "Version", "Started", "Renewed"]}
      none="None has a valid lease."
      rows={overview.instances.map(({ name, version, startedAt, renewedAt }) => ({
        key: `${name} ${startedAt}`,
        cells: [
          name,
          version,
          <When key="started" at={startedAt} exact />,
          <When key="renewed" at={renewedAt} />,
        ],
      }))}
    />
  );
}
