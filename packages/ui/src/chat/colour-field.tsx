import { Button, Input } from "@mantine/core";
import { useId } from "react";
import { cssColour } from "./chat-platform.ts";
import classes from "./messages-tab.module.css";
import { words } from "../words/words.ts";

interface ColourFieldProps {
  /** Undefined: as it is by default. */
  value: number | undefined;
  /** What it is by default, as the preview has it. */
  standard: number;
  onChange: (colour: number | undefined) => void;
}

export function ColourField({ value, standard, onChange }: ColourFieldProps) {
  const id = useId();
  const shown = cssColour(value ?? standard);
  return (
    <Input.Wrapper id={id} label={words.chat.colour}>
      <div className={classes["colour"]}>
        <input
          id={id}
          type="color"
          value={shown}
          onChange={(event) => onChange(Number.parseInt(event.currentTarget.value.slice(1), 16))}
        />
        <code>{shown}</code>
        {value === undefined ? (
          <span className={classes["dimmed"]}>{words.chat.byDefault}</span>
        ) : (
          <Button
            variant="subtle"
            color="gray"
            c="dimmed"
            size="compact-sm"
            fw={400}
            onClick={() => onChange(undefined)}
          >
            {words.chat.defaultColour}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
