import { NativeSelect, NumberInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import {
  EVENT_SUBJECTS,
  REPORTED_EVENT_NAMES,
  type ReportedEventName,
} from "@markethook/protocol/event-names";
import { ExchangeView } from "../exchange/exchange-view.tsx";
import { useSession } from "../session/session.ts";
import { Dialog, type WebhookDialogProps } from "../shared/dialog.tsx";
import { eventTitle } from "../shared/code-words.ts";
import { Notice } from "../shared/panels.tsx";
import { LazyEventBody } from "./show-body.tsx";
import { readUserId } from "../deliveries/log-filter.ts";
import { ownUserId } from "./sample-body.ts";
import { words } from "../words/words.ts";
import { outcomeWords } from "../deliveries/delivery-words.ts";

/** Shows the body of an event that did not happen, and sends it to the owner's server. */
export function SampleDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { client, info } = useSession();
  const [event, setEvent] = useState<ReportedEventName>("product.user.purchase");
  const [userId, setUserId] = useState(() => ownUserId(info.ownerId));
  // As it is in the field, which is empty while another id is typed.
  const [typed, setTyped] = useState<number | string>(userId);
  const ofUser = EVENT_SUBJECTS[event] !== "update";
  const sample = { event, userId };
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
      title={words.sample.title}
      opened={opened}
      onClose={close}
      closeLabel={words.shared.close}
      size="xl"
      error={sending.error}
      confirm={{
        label: result === undefined ? words.sample.send : words.sample.sendAnother,
        busy: sending.isPending,
        off: ofUser && readUserId(String(typed)) === null,
        onClick: () => sending.mutate(),
      }}
    >
      <Notice kind="warn" title={words.sample.mayAct}>
        {words.sample.mayActText(<code>{header}: 1</code>)}
      </Notice>
      <NativeSelect
        label={words.deliveries.event}
        value={event}
        data={REPORTED_EVENT_NAMES.map((name) => ({ value: name, label: eventTitle(name) }))}
        onChange={(change) => {
          sending.reset();
          const name = change.currentTarget.value;
          setEvent(REPORTED_EVENT_NAMES.find((one) => one === name) ?? event);
        }}
      />
      {ofUser ? (
        <NumberInput
          label={words.deliveries.userId}
          min={1}
          max={Number.MAX_SAFE_INTEGER}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={typed}
          onChange={(value) => {
            sending.reset();
            setTyped(value);
            setUserId(readUserId(String(value)) ?? userId);
          }}
        />
      ) : null}
      <div role="status">
        {result === undefined ? null : (
          <Notice
            kind={result.outcome === "ok" ? "good" : "warn"}
            title={
              result.outcome === "ok"
                ? words.sample.accepted(result.status)
                : outcomeWords({ ...result, isChat: false, fate: "test" }).title
            }
          />
        )}
      </div>
      {result === undefined ? (
        <LazyEventBody
          event={event}
          resourceId={webhook.resourceId}
          withDetails={webhook.includeDetails}
          userId={userId}
        />
      ) : (
        <ExchangeView key={result.deliveryId} exchange={result} webhookId={webhook.id} />
      )}
    </Dialog>
  );
}
