import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { outcomeWords } from "../deliveries/outcome-words.ts";
import { SendWaitingDialog } from "../early/send-waiting-dialog.tsx";
import { Notice } from "../shared/notice.tsx";
import { When } from "../shared/when.tsx";
import { disabledWords } from "./webhook-words.ts";

/** What an owner should know of a webhook before anything else. */
export function WebhookNotices({ webhook }: { webhook: Webhook }) {
  const notice = stateNotice(webhook);
  return (
    <>
      {notice}
      <FailingNotice webhook={webhook} since={notice === null ? webhook.failingSince : null} />
    </>
  );
}

function stateNotice(webhook: Webhook): ReactNode {
  if (webhook.chatFault !== null && webhook.state === "active") {
    return (
      <Notice
        kind="warn"
        title="A message of yours could not be used"
        action={
          <Button
            component={Link}
            to="/webhooks/$webhookId"
            params={{ webhookId: webhook.id } as never}
            search={{ tab: "messages" } as never}
            size="xs"
            variant="default"
          >
            Open messages
          </Button>
        }
      >
        {webhook.chatFault} The default message was posted instead.
      </Notice>
    );
  }
  if (webhook.state === "disabled") {
    return (
      <Notice kind="warn" title="This webhook is disabled">
        {disabledWords(webhook.disabledReason)} Its deliveries are held, not lost.
      </Notice>
    );
  }
  if (webhook.state === "paused") {
    return (
      <Notice kind="info" title="This webhook is paused">
        {webhook.dropping
          ? "What was held is being dropped."
          : "Its deliveries are held until you resume it."}
      </Notice>
    );
  }
  return null;
}

/** What its server replied last, what that means, and what can be done. */
function FailingNotice({ webhook, since }: { webhook: Webhook; since: string | null }) {
  const [isSending, setIsSending] = useState(false);
  const last = webhook.health.lastAttempt;
  const acceptedAt = last?.outcome === "ok" ? last.at : null;
  const who = webhook.format === "json" ? "Your server" : "The chat";
  return (
    <>
      {since === null ? null : (
        <Notice
          kind="warn"
          title={acceptedAt === null ? `${who} is failing` : `${who} replies again`}
          action={
            <Button
              size="xs"
              variant={acceptedAt === null ? "default" : "filled"}
              onClick={() => setIsSending(true)}
            >
              Send all that waits…
            </Button>
          }
        >
          {acceptedAt !== null ? (
            <>
              It accepted a ping <When at={acceptedAt} />. No delivery was accepted since{" "}
              <When at={since} exact />: send what waits now, and see.
            </>
          ) : (
            <>
              {last === null ? null : <LastReply outcome={last.outcome} status={last.status} />}
              No delivery has been accepted since <When at={since} exact />; a ping does not count.
              After five days of this the webhook is disabled.
            </>
          )}
        </Notice>
      )}
      {/* It stays in its place when the notice goes: it tells what became of what it sent. */}
      <SendWaitingDialog webhook={webhook} opened={isSending} onClose={() => setIsSending(false)} />
    </>
  );
}

function LastReply({ outcome, status }: { outcome: string; status: number | null }) {
  const { title, next } = outcomeWords(outcome, status !== null);
  return (
    <>
      <strong>
        Last time: {title.charAt(0).toLowerCase() + title.slice(1)}
        {status === null ? "" : ` (${status})`}.
      </strong>{" "}
      {next}{" "}
    </>
  );
}
