import { Button } from "@mantine/core";
import type { Webhook } from "@markethook/client";
import { Notice } from "../shared/notice.tsx";
import { eventTitle } from "../shared/event-words.ts";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/user-text.tsx";
import type { Field } from "./use-webhook-edit.ts";

const NAMES: Record<Field, string> = { url: "URL", events: "Events", description: "Description" };

/** Somebody else, or another tab, has saved other values of the same fields. */
export function ConflictNotice(props: {
  webhook: Webhook;
  conflicts: readonly Field[];
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <Notice kind="bad" title="This was changed elsewhere meanwhile">
      <div className={`${stack["stack"]} ${stack["tight"]}`}>
        <ul className={stack["steps"]}>
          {props.conflicts.map((field) => (
            <li key={field}>
              {NAMES[field]} is now{field === "url" ? " another one" : ""}:{" "}
              <UserText>{textOf(props.webhook, field)}</UserText>
            </li>
          ))}
        </ul>
        <div className={stack["row"]}>
          <Button size="compact-sm" variant="default" onClick={props.onMine}>
            Keep what I have typed
          </Button>
          <Button size="compact-sm" variant="default" onClick={props.onTheirs}>
            Take what is saved
          </Button>
        </div>
      </div>
    </Notice>
  );
}

function textOf({ url, events, description }: Webhook, field: Field): string {
  if (field === "url") return url;
  if (field === "description") return description === "" ? "(empty)" : description;
  return events === null ? "all" : events.map((name) => eventTitle(name)).join(", ");
}
