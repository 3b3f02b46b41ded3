import type { EventSummary } from "@markethook/client";
import { UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { eventTitle } from "../shared/code-words.ts";
import { UserText, When } from "../shared/inline-text.tsx";
import classes from "./events-page.module.css";
import { ExplanationLines } from "./explanation-lines.tsx";
import { words } from "../words/words.ts";
import { useResources } from "../api/resources-and-webhooks.ts";

interface EventRowProps {
  event: EventSummary;
  opened: boolean;
  onToggle: () => void;
}

/** One event, which opens to what became of it. */
export function EventRow({ event, opened, onToggle }: EventRowProps) {
  const id = useId();
  return (
    <li>
      <UnstyledButton
        className={classes["button"] ?? ""}
        aria-expanded={opened}
        aria-controls={id}
        onClick={onToggle}
      >
        <span className={classes["mark"]} data-opened={opened || undefined} aria-hidden>
          ›
        </span>
        <span className={classes["event"]}>
          {eventTitle(event.event)}
          {event.userId === null ? null : (
            <span className={classes["quiet"]}> {words.deliveries.user(event.userId)}</span>
          )}
        </span>
        <span className={classes["resource"]}>
          <ResourceTitle resourceId={event.resourceId} />
        </span>
        <span className={classes["when"]}>
          <When at={event.acceptedAt} />
        </span>
      </UnstyledButton>
      <div id={id} hidden={!opened}>
        {opened ? <ExplanationLines eventId={event.id} /> : null}
      </div>
    </li>
  );
}

function ResourceTitle({ resourceId }: { resourceId: string }) {
  const resources = useResources();
  const title = resources.data?.find(({ id }) => id === resourceId)?.title;
  return <UserText>{title ?? resourceId}</UserText>;
}
