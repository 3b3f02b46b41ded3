import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { eventTitle } from "../shared/code-words.ts";
import { words } from "../words/words.ts";
import type { EventBodyProps } from "./event-body.tsx";

/** If its code cannot be loaded, what is around it still works. */
const EventBody = lazy(async () => {
  try {
    const loaded = await import("./event-body.tsx");
    return { default: loaded.EventBody };
  } catch {
    return { default: NoBody };
  }
});

/** The body of an event; its code is fetched when it is first shown. */
export function LazyEventBody(props: EventBodyProps) {
  return (
    <Suspense fallback={null}>
      <EventBody {...props} />
    </Suspense>
  );
}

function NoBody(_props: EventBodyProps) {
  return <p>{words.sample.bodyUnloadable}</p>;
}

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
