import { Button } from "@mantine/core";
import { useState } from "react";
import { eventTitle } from "../shared/code-words.ts";
import { lazyPart } from "../shared/lazy-part.tsx";
import { words } from "../words/words.ts";
import type { EventBodyProps } from "./event-body.tsx";

/** The body of an event; its code is fetched when it is first shown. */
export const LazyEventBody = lazyPart(async () => (await import("./event-body.tsx")).EventBody);

export function ShowBody(props: EventBodyProps) {
  const [isOpen, setOpen] = useState(false);
  const title = eventTitle(props.event);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-xs"
        // With its padding, below the event's name.
        ml={25}
        aria-expanded={isOpen}
        aria-label={isOpen ? words.sample.hideBodyOf(title) : words.sample.showBodyOf(title)}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? words.sample.hideBody : words.sample.showBody}
      </Button>
      {isOpen ? <LazyEventBody {...props} /> : null}
    </div>
  );
}
