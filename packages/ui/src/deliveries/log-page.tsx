import { useNavigate, useSearch } from "@tanstack/react-router";
import { PageTitle } from "../shared/page-title.tsx";
import { DeliveryLog } from "./delivery-log.tsx";

/** What was sent to all webhooks of the owner. */
export function LogPage() {
  const filter = useSearch({ from: "/deliveries" });
  const navigate = useNavigate({ from: "/deliveries" });
  return (
    <>
      <PageTitle title="Deliveries" below="Every event to every webhook, newest first." />
      <DeliveryLog
        filter={filter}
        onFilter={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
    </>
  );
}
