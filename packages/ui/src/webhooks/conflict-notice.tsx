import { Button } from "@mantine/core";
import type { Webhook } from "@markethook/client";
import { Notice } from "../shared/notice.tsx";
import { chosenWords } from "../shared/code-words.ts";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/inline-text.tsx";
import type { Field } from "./webhook-form.tsx";
import { words } from "../words/words.ts";

/** Somebody else, or another tab, has saved other values of the same fields. */
export function ConflictNotice(props: {
  webhook: Webhook;
  conflicts: readonly Field[];
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <Notice kind="bad" title={words.webhooks.changedElsewhere}>
      <div className={`${stack["stack"]} ${stack["tight"]}`}>
        <ul className={stack["steps"]}>
          {props.conflicts.map((field) => (
            <li key={field}>
              {words.webhooks.isNow[field](<UserText>{textOf(props.webhook, field)}</UserText>)}
            </li>
          ))}
        </ul>
        <div className={stack["row"]}>
          <Button size="compact-sm" variant="default" onClick={props.onMine}>
            {words.webhooks.keepMine}
          </Button>
          <Button size="compact-sm" variant="default" onClick={props.onTheirs}>
            {words.webhooks.takeTheirs}
          </Button>
        </div>
      </div>
    </Notice>
  );
}

function textOf(webhook: Webhook, field: Field): string {
  if (field !== "events") return webhook[field] === "" ? words.webhooks.empty : webhook[field];
  return webhook.events === null ? words.webhooks.all : chosenWords(webhook.events);
}
