import { Button } from "@mantine/core";
import { BusyButton } from "../shared/busy-button.tsx";
import classes from "./messages-tab.module.css";

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
  return (
    <div className={classes["bar"]} data-dirty={isDirty || undefined}>
      <span role="status">{wordsOf(isDirty, faulty)}</span>
      <span className={classes["barButtons"]}>
        {isDirty ? (
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
        ) : null}
        <BusyButton busy={busy} disabled={!isDirty || faulty} onClick={onSave}>
          Save messages
        </BusyButton>
      </span>
    </div>
  );
}

function wordsOf(isDirty: boolean, faulty: boolean): string {
  if (!isDirty) return "All changes are saved.";
  return faulty ? "Something above cannot be saved yet." : "You have unsaved changes.";
}
