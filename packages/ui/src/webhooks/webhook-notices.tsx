import { type ReactNode, useState } from "react";
import { Button } from "@mantine/core";
import type { Webhook } from "@markethook/client";
import { LinkButton } from "../shared/buttons.tsx";
import { RecoveryNotice } from "../replay/recovery-notice.tsx";
import { Notice } from "../shared/panels.tsx";
import { disabledWords } from "./webhook-words.ts";
import { words } from "../words/words.ts";
import { fromService } from "../words/rich.ts";
import type { RangeChoice } from "../replay/range-fields.tsx";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/inline-text.tsx";

/** Reasons that a reply gave, which ended what it replied to. */
const ASKED: ReadonlySet<string | null> = new Set(["gone", "receiver_request"]);

/** A new owner of the resource cancels all deliveries; otherwise they are held. */
function heldWords({ disabledReason }: Webhook): string {
  if (disabledReason === "owner_changed") return "";
  return ASKED.has(disabledReason) ? words.webhooks.othersHeld : words.webhooks.heldNotLost;
}

/** The notices about a webhook that its owner should see first. */
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

const ALL_FAILED: RangeChoice = { span: "all", states: ["dead"], missing: false };

interface GivenUpNoticeProps {
  webhook: Webhook;
  /** The log is narrowed to them. */
  onShow: () => void;
}

/** Deliveries that are not tried again by themselves. Their owner decides what becomes of them. */
export function GivenUpNotice({ webhook: { id, givenUp }, onShow }: GivenUpNoticeProps) {
  const [isSending, setIsSending] = useState(false);
  return (
    <>
      {givenUp === null ? null : (
        <Notice
          kind="warn"
          title={words.webhooks.givenUp(givenUp.count)}
          action={
            <div className={stack["row"]}>
              <LinkButton
                to="/webhooks/$webhookId"
                params={{ webhookId: id }}
                search={{ state: "dead" }}
                resetScroll={false}
                onClick={onShow}
                size="xs"
                variant="default"
              >
                {words.webhooks.showFailed}
              </LinkButton>
              <Button size="xs" onClick={() => setIsSending(true)}>
                {words.webhooks.sendAgain(givenUp.count)}
              </Button>
            </div>
          }
        >
          {words.webhooks.givenUpText(givenUp.count, <When at={givenUp.since} exact="minute" />)}
        </Notice>
      )}
      {/* It stays when the notice goes, because it shows the result of its sending. */}
      <ReplayDialog
        webhookId={id}
        opened={isSending}
        onClose={() => setIsSending(false)}
        first={ALL_FAILED}
      />
    </>
  );
}
