import { useNavigate, useSearch } from "@tanstack/react-router";
import { PageTitle } from "../shared/page-title.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import type { LogFilter } from "./log-filter.ts";

/** What was sent to all webhooks of the owner. */
export function LogPage() {
  const { open = null, ...filter } = useSearch({ from: "/deliveries" });
  const navigate = useNavigate({ from: "/deliveries" });
  const show = (next: LogFilter, id: string | null): void =>
    void navigate({
      search: { ...next, ...(id === null ? {} : { open: id }) },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageTitle title="Deliveries" below="Every event to every webhook, newest first." />
      <DeliveryLog
        filter={filter}
        open={open}
        onFilter={(next) => show(next, open)}
        onOpen={(id) => show(filter, id)}
      />
    </>
  );
}
