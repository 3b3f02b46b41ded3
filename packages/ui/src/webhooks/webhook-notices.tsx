import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Notice } from "../shared/notice.tsx";
import { When } from "../shared/when.tsx";
import { disabledWords } from "./webhook-words.ts";

/** What an owner should know of a webhook before anything else. */
export function WebhookNotices({ webhook }: { webhook: Webhook }) {
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
  if (webhook.failingSince !== null) {
    return (
      <Notice kind="warn" title="Its receiver is failing">
        No delivery has been accepted since <When at={webhook.failingSince} exact />; a ping does
        not count. After five days of this the webhook is disabled. Open a failed delivery to see
        why.
      </Notice>
    );
  }
  return null;
}
