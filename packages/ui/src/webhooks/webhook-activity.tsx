import { Button } from "@mantine/core";
import { useState } from "react";
import { LazyChart } from "../activity/lazy-chart.tsx";
import { type LogFilter, withTimes } from "../deliveries/log-filter.ts";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import { useSession } from "../session/session.ts";
import { words } from "../words/first-words.ts";

interface WebhookActivityProps {
  filter: LogFilter & { webhookId: string };
  onFilter: (filter: LogFilter) => void;
}

/** A webhook's chart. A range that is chosen in it narrows the log, and can be sent again. */
export function WebhookActivity({ filter, onFilter }: WebhookActivityProps) {
  const { client } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { webhookId, from, to } = filter;
  const hasRange = from !== undefined && to !== undefined;
  return (
    <>
      <LazyChart
        client={client}
        scope={{ webhookId }}
        log={{ range: filter, onRange: (range) => onFilter(withTimes(filter, range)) }}
        actions={
          hasRange ? (
            <Button size="xs" variant="default" onClick={() => setOpen(true)}>
              {words.webhooks.sendThisTime}
            </Button>
          ) : null
        }
      />
      {hasRange ? (
        <ReplayDialog
          key={`${from} ${to}`}
          webhookId={webhookId}
          opened={isOpen}
          onClose={() => setOpen(false)}
          first={{ span: "range", from, to, states: ["dead"], missing: false }}
        />
      ) : null}
    </>
  );
}
