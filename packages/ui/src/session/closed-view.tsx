import { Button } from "@mantine/core";
import { MessageView } from "../shared/message-view.tsx";
import { readSession } from "./kept-session.ts";
import type { WhyClosed } from "./open-session.ts";
import { placeNow } from "./place.ts";
import { safeUrl } from "./safe-url.ts";
import { useEntry } from "./use-entry.ts";

/** `again`: where the marketplace can be asked for a new session; else what to do by hand. */
const WORDS: Record<WhyClosed, { title: string; again: string; byHand: string }> = {
  no_session: {
    title: "Open this page from your resource",
    again: "This tab has no session. The marketplace knows you, and leads back to this place.",
    byHand: "Go to your resource's page, open its edit section and press Webhooks.",
  },
  code_used: {
    title: "This link has been used or is too old",
    again: "A link to this page works once, for a few minutes. The marketplace makes a new one.",
    byHand:
      "A link to this page works once, for a few minutes. Press Webhooks in your resource's edit section for a new one.",
  },
  ended: {
    title: "Your session has ended",
    again:
      "Nothing is lost: webhooks go on working, and what you have typed here is kept in this tab.",
    byHand:
      "Nothing is lost: webhooks go on working, and what you have typed here is kept in this tab. Press Webhooks in your resource's edit section to come back.",
  },
};

export function ClosedView({ why }: { why: WhyClosed }) {
  const entry = useEntry(placeNow());
  const back = safeUrl(readSession()?.returnUrl ?? null);
  const { title, again, byHand } = WORDS[why];
  return (
    <MessageView title={title} action={<Way entry={entry} back={back} />}>
      {entry === null ? byHand : again}
    </MessageView>
  );
}

function Way({ entry, back }: { entry: string | null; back: string | null }) {
  if (entry !== null) {
    return (
      <Button component="a" href={entry} target="_top">
        Open again
      </Button>
    );
  }
  if (back === null) return null;
  return (
    <Button component="a" href={back} target="_top">
      Back to your resource
    </Button>
  );
}
