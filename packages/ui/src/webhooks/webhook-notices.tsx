import type { Webhook } from "@markethook/client";
import { LinkButton } from "../shared/buttons.tsx";
import type { ReactNode } from "react";
import { RecoveryNotice } from "../replay/recovery-notice.tsx";
import { Notice } from "../shared/notice.tsx";
import { disabledWords } from "./webhook-words.ts";
import { words } from "../words/words.ts";
import { fromService } from "../words/rich.ts";

/** Reasons that a reply gave, which ended what it replied to. */
const ASKED: ReadonlySet<string | null> = new Set(["gone", "receiver_request"]);

/** A new owner of the resource cancels all deliveries; otherwise they are held. */
function heldWords({ disabledReason }: Webhook): string {
  if (disabledReason === "owner_changed") return "";
  return ASKED.has(disabledReason) ? words.webhooks.othersHeld : words.webhooks.heldNotLost;
}

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
        title={words.webhooks.messageUnused}
        action={
          <LinkButton
            to="/webhooks/$webhookId"
            params={{ webhookId: webhook.id }}
            search={{ tab: "messages" }}
            size="xs"
            variant="default"
          >
            {words.webhooks.openMessages}
          </LinkButton>
        }
      >
        {fromService(webhook.chatFault)} {words.webhooks.defaultPosted}
      </Notice>
    );
  }
  if (webhook.state === "disabled") {
    return (
      <Notice kind="warn" title={words.webhooks.isDisabled}>
        {disabledWords(webhook)} {heldWords(webhook)}
      </Notice>
    );
  }
  if (webhook.state === "paused") {
    return (
      <Notice kind="info" title={words.webhooks.isPaused}>
        {webhook.dropping
          ? words.webhooks.isDropping
          : words.webhooks.heldUntilResumed(webhook.held)}
      </Notice>
    );
  }
  return null;
}
