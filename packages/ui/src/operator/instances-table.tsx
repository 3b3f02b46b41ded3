import type { OperatorOverview } from "@markethook/client";
import { When } from "../shared/inline-text.tsx";
import { DataTable } from "./data-table.tsx";
import { words } from "../words/words.ts";

export function InstancesTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title={words.operator.instances}
      head={[
        words.operator.name,
        words.operator.version,
        words.operator.started,
        words.operator.renewed,
      ]}
      none={words.operator.noInstance}
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
