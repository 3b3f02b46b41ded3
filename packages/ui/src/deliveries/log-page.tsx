import { given } from "@markethook/protocol/given";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { LazyChart } from "../activity/lazy-chart.tsx";
import { useSession } from "../session/session.ts";
import { PageTitle } from "../shared/page-title.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { type LogFilter, withTimes } from "./log-filter.ts";
import { words } from "../words/words.ts";

/** What was sent to all webhooks of the owner. */
export function LogPage() {
  const { open = null, ...filter } = useSearch({ from: "/deliveries" });
  const navigate = useNavigate({ from: "/deliveries" });
  const { client } = useSession();
  const { resourceId, webhookId } = filter;
  const scope = given({ resourceId, webhookId });
  const show = (next: LogFilter, id: string | null): void =>
    void navigate({
      search: { ...next, ...(id === null ? {} : { open: id }) },
      // Back closes what was opened, and goes through no others and no filters.
      replace: id === null || open !== null,
      resetScroll: false,
    });
  return (
    <>
      <PageTitle title={words.deliveries.title} below={words.deliveries.about} />
      <LazyChart
        client={client}
        scope={scope}
        log={{ range: filter, onRange: (range) => show(withTimes(filter, range), open) }}
      />
      <DeliveryLog
        filter={filter}
        ofAll
        open={open}
        onFilter={(next) => show(next, open)}
        onOpen={(id) => show(filter, id)}
      />
    </>
  );
}
