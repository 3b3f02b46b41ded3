import type { OperatorOverview } from "@markethook/client";
import { UserText, When } from "../shared/inline-text.tsx";
import { DataTable } from "./data-table.tsx";
import { words } from "../words/words.ts";

export function ChangesTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title={words.operator.changes}
      about={words.operator.changesText}
      head={[
        words.operator.when,
        words.operator.who,
        words.operator.what,
        words.operator.of,
        words.operator.owner,
      ]}
      none={words.operator.noneYet}
      rows={overview.changes.map(({ no, at, actor, action, subject, ownerId }) => ({
        key: String(no),
        cells: [
          <When key="when" at={at} />,
          <UserText key="who">{`${words.operator.actors[actor.kind]} ${actor.name ?? ""}`}</UserText>,
          <code key="what">{action}</code>,
          <code key="subject">{subject.id}</code>,
          <UserText key="owner">{ownerId ?? ""}</UserText>,
        ],
      }))}
    />
  );
}
