import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Webhook } from "@markethook/client";
import { HIDDEN, shownUrl } from "@markethook/protocol/shown-url";
import { useWebhook } from "../api/resources-and-webhooks.ts";
import { useSeesSecrets, useWholeUrl } from "../secret/use-secret.ts";
import { Dialog } from "../shared/dialog.tsx";
import { UserText } from "../shared/inline-text.tsx";
import { type Better, betterAddress, type Exchange, withHttps } from "./better-address.ts";
import { useUrlCheck } from "./url-field.tsx";
import { useWebhookActions } from "./use-webhook-actions.ts";
import { remarkWords } from "./webhook-words.ts";
import { words } from "../words/words.ts";
import { faultWords } from "../shared/code-words.ts";

interface AdoptAddressProps {
  webhookId: string;
  exchange: Exchange;
  className?: string | undefined;
}

/** Where a reply tells a better address: a button that saves it, checked as a typed one is. */
export function AdoptAddress({ webhookId, exchange, className }: AdoptAddressProps) {
  const seesSecrets = useSeesSecrets();
  const [opened, setOpened] = useState(false);
  const better = betterAddress(exchange);
  const { data: webhook } = useWebhook(webhookId, better !== null);
  if (better === null || webhook === undefined || exchange.request === null) return null;
  // Its address may have been changed since; by the dialog itself, which then has something to say.
  if (!opened && webhook.url !== shownUrl(exchange.request.url)) return null;
  if (better.kind === "https" && webhook.url.endsWith(HIDDEN) && !seesSecrets) return null;
  return (
    <div className={className}>
      <Button size="xs" onClick={() => setOpened(true)}>
        {`${titleOf(better)}…`}
      </Button>
      {opened ? (
        <AdoptDialog webhook={webhook} better={better} onClose={() => setOpened(false)} />
      ) : null}
    </div>
  );
}

function titleOf({ kind }: Better): string {
  return kind === "https" ? words.webhooks.useHttps : words.webhooks.useAddress;
}

function AdoptDialog(props: { webhook: Webhook; better: Better; onClose: () => void }) {
  const { webhook, better, onClose } = props;
  const { change } = useWebhookActions(webhook.id);
  const isHidden = webhook.url.endsWith(HIDDEN);
  const whole = useWholeUrl(webhook.id, better.kind === "https" && isHidden);
  const url =
    better.kind === "target" ? better.url : withHttps((isHidden ? whole.data : webhook.url) ?? "");
  const { check, checking, error } = useUrlCheck(url, webhook.resourceId, webhook.id);
  const [fault] = check?.faults ?? [];
  return (
    <Dialog
      title={titleOf(better)}
      opened
      onClose={onClose}
      error={change.error ?? whole.error ?? error}
      confirm={{
        label: words.webhooks.useThis,
        busy: change.isPending,
        off: check?.ok !== true,
        onClick: () =>
          change.mutate(
            { url, expected: { urlVersion: webhook.urlVersion } },
            {
              onSuccess: () => {
                onClose();
                notifications.show({ message: words.webhooks.addressSaved });
              },
            },
          ),
      }}
    >
      <p>{better.kind === "https" ? words.webhooks.httpsText : words.webhooks.movedText}</p>
      <p>
        <code>
          <UserText>{url}</UserText>
        </code>
      </p>
      <div role="status">
        {checking || whole.isFetching ? words.webhooks.checking : null}
        {fault === undefined ? null : faultWords(fault.code, fault.sentence)}
        {check?.remarks.map((remark) => (
          <p key={remark.code}>{remarkWords(remark)}</p>
        ))}
      </div>
    </Dialog>
  );
}
