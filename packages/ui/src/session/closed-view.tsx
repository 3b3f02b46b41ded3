import { Button } from "@mantine/core";
import { MessageView } from "../shared/page-states.tsx";
import { readSession } from "./kept-session.ts";
import type { WhyClosed } from "./open-session.ts";
import { placeNow } from "./place.ts";
import { safeUrl } from "./page-location.ts";
import { useEntry } from "./entry.ts";
import { words } from "../words/first-words.ts";

export function ClosedView({ why }: { why: WhyClosed }) {
  const entry = useEntry(placeNow());
  const back = safeUrl(readSession()?.returnUrl ?? null);
  const { title, again, byHand } = words.session.closed[why];
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
        {words.session.openAgain}
      </Button>
    );
  }
  if (back === null) return null;
  return (
    <Button component="a" href={back} target="_top">
      {words.app.back}
    </Button>
  );
}
