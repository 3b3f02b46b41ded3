import type { OperatorOverview } from "@markethook/client";
import { StateLabel, UserText } from "../shared/inline-text.tsx";
import { DataTable } from "./data-table.tsx";
import { words } from "../words/words.ts";
import { whole } from "../words/numbers.ts";

/** Failures stand first: they are what somebody looks for. */
export function AttemptsTable({ overview }: { overview: OperatorOverview }) {
  const rows = [...overview.attempts].sort(
    (a, b) => Number(a.outcome === "ok") - Number(b.outcome === "ok") || b.count - a.count,
  );
  return (
    <DataTable
      title={words.operator.attemptsTitle}
      about={words.operator.attemptsText}
      head={[words.operator.host, words.operator.outcome, words.operator.attempts]}
      none={words.operator.noAttempt}
      rows={rows.map(({ host, outcome, count }) => ({
        key: `${host} ${outcome}`,
        cells: [
          <UserText key="host">{host}</UserText>,
          <StateLabel key="outcome" tone={outcome === "ok" ? "good" : "bad"}>
            {outcome === "ok" ? words.operator.accepted : outcome}
          </StateLabel>,
          whole(count),
        ],
      }))}
    />
  );
}
