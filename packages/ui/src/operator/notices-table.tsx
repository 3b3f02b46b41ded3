import type { OperatorOverview } from "@markethook/client";
import { UserText, When } from "../shared/inline-text.tsx";
import { DataTable } from "./data-table.tsx";
import { words } from "../words/words.ts";

export function NoticesTable({ overview }: { overview: OperatorOverview }) {
  return (
    <DataTable
      title={words.operator.notices}
      about={words.operator.noticesText}
      head={[
        words.operator.when,
        words.operator.what,
        words.operator.owner,
        words.operator.webhook,
      ]}
      none={words.operator.noneYet}
      rows={overview.notices.map((notice) => ({
        key: String(notice.no),
        cells: [
          <When key="when" at={notice.createdAt} />,
          <code key="what">{notice.kind}</code>,
          <UserText key="owner">{notice.ownerId}</UserText>,
          <code key="webhook">{notice.webhookId ?? ""}</code>,
        ],
      }))}
    />
  );
}
