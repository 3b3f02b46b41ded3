import type { Placeholder } from "@markethook/chat";
import { Button } from "@mantine/core";
import classes from "./messages-tab.module.css";
import { words } from "../words/words.ts";

function aboutOf(name: string, english: string): string {
  return words.chat.placeholder[name] ?? english;
}

/** What an event can tell, to be put into a field by a press. */
export function PlaceholderChips(props: {
  placeholders: readonly Placeholder[];
  /** The field that they go into. */
  into: string;
  onInsert: (name: string) => void;
}) {
  return (
    <div className={classes["chips"]} role="group" aria-label={words.chat.placeholders(props.into)}>
      {props.placeholders.map(({ name, about }) => (
        <Button
          key={name}
          variant="default"
          size="compact-sm"
          fw={400}
          title={aboutOf(name, about)}
          aria-label={`{${name}}: ${aboutOf(name, about)}`}
          onClick={() => props.onInsert(name)}
        >
          {`{${name}}`}
        </Button>
      ))}
    </div>
  );
}
