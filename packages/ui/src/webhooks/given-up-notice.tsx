import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { RangeChoice } from "../replay/range.ts";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import { Notice } from "../shared/notice.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/when.tsx";

const ALL_FAILED: RangeChoice = { span: "all", states: ["dead"], missing: false };

/** Deliveries that are not tried again by themselves. Their owner decides what becomes of them. */
export function GivenUpNotice({ webhook: { id, givenUp } }: { webhook: Webhook }) {
  const [isSending, setIsSending] = useState(false);
  const dialog = (
    <ReplayDialog
      webhookId={id}
      opened={isSending}
      onClose={() => setIsSending(false)}
      first={ALL_FAILED}
      countFirst
    />
  );
  // The notice goes when they are on their way; what the dialog says of that stays.
  if (givenUp === null) return dialog;
  const one = givenUp.count === 1;
  return (
    <>
      <Notice
        kind="warn"
        title={one ? "A delivery was given up" : `${givenUp.count} deliveries were given up`}
        action={
          <div className={stack["row"]}>
            <Button
              component={Link}
              to="/webhooks/$webhookId"
              params={{ webhookId: id } as never}
              search={{ state: "dead" } as never}
              size="xs"
              variant="default"
            >
              Show failed deliveries
            </Button>
            <Button size="xs" onClick={() => setIsSending(true)}>
              {one ? "Send it again…" : "Send them again…"}
            </Button>
          </div>
        }
      >
        Since <When at={givenUp.since} exact="minute" />. {one ? "It is" : "They are"} not sent
        again unless you do.
      </Notice>
      {dialog}
    </>
  );
}
