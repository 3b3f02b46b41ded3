import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RecoveryNotice } from "../early/recovery-notice.tsx";
import { Notice } from "../shared/notice.tsx";
import { disabledWords } from "./webhook-words.ts";

/** What an owner should know of a webhook before anything else. */
export function WebhookNotices({ webhook }: { webhook: Webhook }) {
  const notice = stateNotice(webhook);
  return (
    <>
      {notice}
      {notice === null ? <RecoveryNotice webhook={webhook} /> : null}
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
        {disabledWords(webhook)} Its deliveries are held, not lost.
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
