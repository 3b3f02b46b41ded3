import { NativeSelect, NumberInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BodyView } from "../exchange/body-view.tsx";
import { ExchangeView } from "../exchange/exchange-view.tsx";
import { useSession } from "../session/session-context.ts";
import { Dialog } from "../shared/dialog.tsx";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { CHOOSABLE_EVENTS } from "../shared/event-words.ts";
import { Notice } from "../shared/notice.tsx";
import stack from "../shared/stack.module.css";
import type { WebhookDialogProps } from "../webhooks/dialog-props.ts";

type EventName = (typeof CHOOSABLE_EVENTS)[number]["name"];

const UPDATE: EventName = "product.update";

/** Shows the body of an event that did not happen, and sends it to the owner's server. */
export function SampleDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { client, info } = useSession();
  const [event, setEvent] = useState<EventName>("product.user.purchase");
  const [userId, setUserId] = useState<number>(1);
  const sample = { event, userId };
  const shown = useQuery({
    queryKey: ["sample", webhook.id, event, userId],
    queryFn: async () => await client.webhooks.sendSample(webhook.id, { ...sample, dryRun: true }),
    enabled: opened,
    gcTime: 0,
  });
  const sending = useMutation({
    mutationFn: async () => await client.webhooks.sendSample(webhook.id, sample),
  });
  const result = sending.isPending ? undefined : sending.data;
  const header = info.headerNames.signature.replace(/Signature$/, "Sample");
  const close = (): void => {
    sending.reset();
    onClose();
  };
  return (
    <Dialog
      title="Send a sample"
      opened={opened}
      onClose={close}
      closeLabel="Close"
      size="xl"
      error={sending.error}
      confirm={{
        label: result === undefined ? "Send sample" : "Send another one",
        busy: sending.isPending,
        onClick: () => sending.mutate(),
      }}
    >
      <Notice kind="warn" title="Your server may act on it">
        It is signed as a real event is, and only the header <code>{header}: 1</code> tells it
        apart. Use your own user id. It stands in no log, and is never sent again.
      </Notice>
      <NativeSelect
        label="Event"
        value={event}
        data={CHOOSABLE_EVENTS.map(({ name, title }) => ({ value: name, label: title }))}
        onChange={(change) => {
          sending.reset();
          const name = change.currentTarget.value;
          setEvent(CHOOSABLE_EVENTS.find((one) => one.name === name)?.name ?? UPDATE);
        }}
      />
      {event === UPDATE ? null : (
        <NumberInput
          label="User id"
          min={1}
          max={Number.MAX_SAFE_INTEGER}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={userId}
          onChange={(value) => {
            sending.reset();
            setUserId(Number(value) || 1);
          }}
        />
      )}
      <div className={stack["stack"]} role="status">
        {result === undefined ? null : (
          <>
            <Notice
              kind={result.outcome === "ok" ? "good" : "warn"}
              title={
                result.outcome === "ok"
                  ? `Your server accepted it with ${result.status ?? "2xx"}`
                  : result.sentence
              }
            />
            <ExchangeView key={result.deliveryId} exchange={result} webhookId={webhook.id} />
          </>
        )}
      </div>
      {result === undefined && shown.data !== undefined ? (
        <BodyView label="body of the sample" body={shown.data.request.body} />
      ) : null}
      <ErrorNotice error={shown.error} />
    </Dialog>
  );
}
