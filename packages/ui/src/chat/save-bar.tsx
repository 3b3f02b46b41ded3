import { Button } from "@mantine/core";
import { useEffect } from "react";
import { BusyButton } from "../shared/busy-button.tsx";
import classes from "./messages-tab.module.css";
import { words } from "../words/words.ts";

interface SaveBarProps {
  isDirty: boolean;
  /** Something cannot be saved as it is. */
  faulty: boolean;
  busy: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** Whether something is not saved yet, and the button for it. */
export function SaveBar({ isDirty, faulty, busy, onSave, onDiscard }: SaveBarProps) {
  // The bar comes up over what is being written.
  useEffect(() => {
    if (isDirty) document.activeElement?.scrollIntoView({ block: "nearest" });
  }, [isDirty]);
  return (
    <div className={classes["bar"]} data-dirty={isDirty || undefined}>
      <span role="status">{stateOf(isDirty, faulty)}</span>
      <span className={classes["barButtons"]}>
        {isDirty ? (
          <Button variant="default" onClick={onDiscard}>
            {words.chat.discard}
          </Button>
        ) : null}
        <BusyButton busy={busy} disabled={!isDirty || faulty} onClick={onSave}>
          {words.chat.saveMessages}
        </BusyButton>
      </span>
    </div>
  );
}

function stateOf(isDirty: boolean, faulty: boolean): string {
  if (!isDirty) return words.chat.allSaved;
  return faulty ? words.chat.cannotSave : words.chat.unsaved;
}
