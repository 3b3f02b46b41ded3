import { Stack } from "@mantine/core";
import { useState } from "react";
import { BusyButton } from "../shared/buttons.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import stack from "../shared/stack.module.css";
import classes from "./secret-field.module.css";
import { type Words, words } from "../words/words.ts";

interface SecretFieldProps {
  name: keyof Words["secret"]["lower"];
  /** Null: not read yet. */
  value: string | null;
  /** Reads it, when somebody wants to see or copy it. */
  read?: () => Promise<string | null>;
  /** Shown above the field where no heading names it. */
  label?: string;
  /** Whether it was made just now, so that the owner should copy it. */
  fresh?: boolean;
}

/** A secret that is hidden until it is revealed, with a button to copy it. */
export function SecretField(props: SecretFieldProps) {
  const { name, value, read, label, fresh = false } = props;
  const what = label ?? words.secret.lower[name];
  const copied = value ?? read;
  const [wanted, setWanted] = useState(fresh);
  const [isReading, setIsReading] = useState(false);
  // Until it is read there is nothing to hide; nor is there after a refusal, when pressing asks again.
  const visible = wanted && value !== null;
  const toggle = async (): Promise<void> => {
    setWanted(!visible);
    if (value !== null) return;
    setIsReading(true);
    await read?.();
    setIsReading(false);
  };
  return (
    <Stack gap="0.375rem">
      {label === undefined ? null : <span className={classes["label"]}>{label}</span>}
      <div className={classes["line"]}>
        {/* A translator would be sent it. */}
        <code className={classes["value"]} data-testid="secret" translate="no">
          {visible ? value : "•".repeat(48)}
        </code>
        <div className={stack["row"]}>
          <BusyButton
            busy={isReading}
            variant="default"
            size="xs"
            aria-label={visible ? words.secret.hideThis(what) : words.secret.showThis(what)}
            onClick={() => void toggle()}
          >
            {visible ? words.secret.hide : words.secret.show}
          </BusyButton>
          {copied === undefined ? null : <CopyButton text={copied} label={what} />}
        </div>
      </div>
    </Stack>
  );
}
