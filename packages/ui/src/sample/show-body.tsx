import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { EventBodyProps } from "./event-body.tsx";

/** A form goes on without it. */
const EventBody = lazy(async () => {
  try {
    const loaded = await import("./event-body.tsx");
    return { default: loaded.EventBody };
  } catch {
    return { default: NoBody };
  }
});

/** Opens the body of an event; its code is fetched when it is first opened. */
export function ShowBody(props: EventBodyProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? "Hide" : "Show"} the body of ${props.event.title}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide the body" : "Show the body"}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <EventBody {...props} />
        </Suspense>
      ) : null}
    </div>
  );
}

function NoBody(_props: EventBodyProps) {
  return <p>The body could not be loaded. Reload the page to see it.</p>;
}
