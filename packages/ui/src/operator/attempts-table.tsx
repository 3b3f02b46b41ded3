import type { OperatorOverview } from "@markethook/client";
import { StateLabel } from "../shared/state-label.tsx";
import { UserText } from "../shared/user-text.tsx";
import { DataTable } from "./data-table.tsx";
import { wholeNumber } from "./format.ts";

/** Failures stand first: they are what somebody looks for. */
export function AttemptsTable({ overview }: { overview: OperatorOverview }) {
  const rows = [...overview.attempts].sort(
    (a, b) => Number(a.outcome === "ok") - Number(b.outcome === "ok") || b.count - a.count,
  );
  return (
    <DataTable
      title="Attempts by host"
      about="Of this instance, over the last 15 minutes; the 20 busiest hosts, failures first."
      head={["Host", "Outcome", "Attempts"]}
      none="No attempt in the last 15 minutes."
      rows={rows.map(({ host, outcome, count }) => ({
        key: `${host} ${outcome}`,
        cells: [
          <UserText key="host">{host}</UserText>,
          <StateLabel key="outcome" tone={outcome === "ok" ? "good" : "bad"}>
            {outcome === "ok" ? "Accepted" : outcome.replaceAll("_", " ")}
          </StateLabel>,
          wholeNumber(count),
        ],
      }))}
    />
  );
}
