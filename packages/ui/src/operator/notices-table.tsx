import type { OperatorOverview } from "@markethook/client";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import { DataTable } from "./data-table.tsx";

export function NoticesTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title="Notices"
      about="The last 20 of what owners should be told."
      head={["When", "What", "Owner", "Webhook"]}
      none="None yet."
      rows={overview.notices.map((notice) => ({
        key: String(notice.no),
        cells: [
          <When key="when" at={notice.createdAt} />,
          notice.kind.replaceAll("_", " "),
          <UserText key="owner">{notice.ownerId}</UserText>,
          <code key="webhook">{notice.webhookId ?? ""}</code>,
        ],
      }))}
    />
  );
}
