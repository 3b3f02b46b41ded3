import type { Placeholder } from "@markethook/chat";
import { Button } from "@mantine/core";
import classes from "./messages-tab.module.css";

/** What an event can tell, to be put into a field by a press. */
export function PlaceholderChips(props: {
  placeholders: readonly Placeholder[];
  /** The field that they go into. */
  into: string;
  onInsert: (name: string) => void;
}) {
  return (
    <div
      className={classes["chips"]}
      role="group"
      aria-label={`Placeholders, inserted into ${props.into}`}
    >
      {props.placeholders.map(({ name, about }) => (
        <Button
          key={name}
          variant="default"
          size="compact-sm"
          fw={400}
          title={about}
          aria-label={`{${name}}: ${about}`}
          onClick={() => props.onInsert(name)}
        >
          {`{${name}}`}
        </Button>
      ))}
    </div>
  );
}
