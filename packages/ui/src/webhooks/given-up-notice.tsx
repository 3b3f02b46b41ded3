import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { LinkButton } from "../shared/buttons.tsx";
import { useState } from "react";
import type { RangeChoice } from "../replay/range-fields.tsx";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import { Notice } from "../shared/notice.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/inline-text.tsx";
import { words } from "../words/first-words.ts";

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
        <GivenUp id={id} givenUp={givenUp} onShow={onShow} onSend={() => setIsSending(true)} />
      )}
      {/* It stays in its place when the notice goes: it tells what became of what it sent. */}
      <ReplayDialog
        webhookId={id}
        opened={isSending}
        onClose={() => setIsSending(false)}
        first={ALL_FAILED}
      />
    </>
  );
}

function GivenUp(props: {
  id: string;
  givenUp: NonNullable<Webhook["givenUp"]>;
  onShow: () => void;
  onSend: () => void;
}) {
  const { id, givenUp, onShow, onSend } = props;

  return (
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
          <Button size="xs" onClick={onSend}>
            {words.webhooks.sendAgain(givenUp.count)}
          </Button>
        </div>
      }
    >
      {words.webhooks.givenUpText(givenUp.count, <When at={givenUp.since} exact="minute" />)}
    </Notice>
  );
}
