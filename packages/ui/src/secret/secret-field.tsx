import { Button } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "../shared/copy-button.tsx";
import classes from "./secret-field.module.css";

interface SecretFieldProps {
  /** Not shown where a heading says it already. */
  label: string;
  /** Null: not here yet. */
  value: string | null;
  /** Gets it, once somebody wants to see or copy it. */
  read?: () => Promise<string | null>;
  withLabel?: boolean;
  /** It was made just now, and is to be copied. */
  fresh?: boolean;
}

/** A secret that is hidden from those who look over one's shoulder until it is revealed, with a button to copy it. */
export function SecretField(props: SecretFieldProps) {
  const { label, value, read, withLabel = false, fresh = false } = props;
  const copied = value ?? read;
  const [visible, setVisible] = useState(fresh);
  return (
    <div className={classes["field"]}>
      {withLabel ? <span className={classes["label"]}>{label}</span> : null}
      <div className={classes["line"]}>
        <code className={classes["value"]} data-testid="secret">
          {visible && value !== null ? value : "•".repeat(48)}
        </code>
        <div className={classes["actions"]}>
          <Button
            variant="default"
            size="xs"
            aria-label={`${visible ? "Hide" : "Reveal"} ${label.toLowerCase()}`}
            onClick={() => {
              setVisible(!visible);
              if (!visible && value === null) void read?.();
            }}
          >
            {visible ? "Hide" : "Reveal"}
          </Button>
          {copied === undefined ? null : <CopyButton text={copied} label={label.toLowerCase()} />}
        </div>
      </div>
    </div>
  );
}
