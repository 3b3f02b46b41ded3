import { lazy, Suspense } from "react";
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
