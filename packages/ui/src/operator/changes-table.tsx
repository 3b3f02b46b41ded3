import type { OperatorOverview } from "@markethook/client";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import { DataTable } from "./data-table.tsx";

const ACTORS = {
  api_key: "Key",
  portal_session: "Owner",
  system: "Service",
  command_line: "Command",
} as const;

export function ChangesTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title="Changes"
      about="The last 20 of the audit log: who changed what."
      head={["When", "Who", "What", "Of", "Owner"]}
      none="None yet."
      rows={overview.changes.map(({ no, at, actor, action, subject, ownerId }) => ({
        key: String(no),
        cells: [
          <When key="when" at={at} />,
          <UserText key="who">{`${ACTORS[actor.kind]} ${actor.name ?? ""}`}</UserText>,
          action.replaceAll(/[._]/g, " "),
          <code key="subject">{subject.id}</code>,
          <UserText key="owner">{ownerId ?? ""}</UserText>,
        ],
      }))}
    />
  );
}
