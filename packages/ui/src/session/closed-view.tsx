import { Button } from "@mantine/core";
import { MessageView } from "../shared/message-view.tsx";
import { recallReturn } from "./return-address.ts";

const WORDS = {
  no_code: {
    title: "Open this page from your resource",
    text: "Go to your resource's page, open its edit section and press Webhooks. The link works once, so a reload or a bookmark cannot open it again.",
  },
  code_used: {
    title: "This link has been used or is too old",
    text: "A link to this page works once, for a few minutes. Press Webhooks in your resource's edit section for a new one.",
  },
  ended: {
    title: "Your session has ended",
    text: "Nothing is lost: webhooks go on working. Press Webhooks in your resource's edit section to come back.",
  },
} as const;

export function ClosedView({ why }: { why: keyof typeof WORDS }) {
  const back = recallReturn();
  const { title, text } = WORDS[why];
  return (
    <MessageView
      title={title}
      action={
        back === null ? null : (
          <Button component="a" href={back} target="_top">
            Back to your resource
          </Button>
        )
      }
    >
      {text}
    </MessageView>
  );
}
