import { Button } from "@mantine/core";
import { type RefObject, useEffect, useState, useRef } from "react";
import { BusyButton } from "../shared/buttons.tsx";
import stack from "../shared/stack.module.css";
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
  const bar = useRef<HTMLDivElement>(null);
  const isTall = useIsTall(bar);
  // The bar comes up over what is being written.
  useEffect(() => {
    if (isDirty) document.activeElement?.scrollIntoView({ block: "nearest" });
  }, [isDirty]);
  return (
    <div
      className={classes["bar"]}
      ref={bar}
      data-dirty={isDirty || undefined}
      data-tall={isTall || undefined}
    >
      <span role="status">{stateOf(isDirty, faulty)}</span>
      <span className={stack["row"]}>
        {isDirty ? (
          <Button variant="default" onClick={onDiscard}>
            {words.webhooks.discard}
          </Button>
        ) : null}
        <BusyButton busy={busy} disabled={!isDirty || faulty} onClick={onSave}>
          {words.chat.saveMessages}
        </BusyButton>
      </span>
    </div>
  );
}

/** Whether it takes more than a third of the window, as with letters of twice the size on a phone. */
function useIsTall(bar: RefObject<HTMLElement | null>): boolean {
  const [isTall, setIsTall] = useState(false);
  useEffect(() => {
    const { current } = bar;
    if (current === null) return undefined;
    const look = (): void => setIsTall(current.offsetHeight > globalThis.innerHeight / 3);
    const observer = new ResizeObserver(look);
    observer.observe(current);
    globalThis.addEventListener("resize", look);
    return () => {
      observer.disconnect();
      globalThis.removeEventListener("resize", look);
    };
  }, [bar]);
  return isTall;
}

function stateOf(isDirty: boolean, faulty: boolean): string {
  if (!isDirty) return words.chat.allSaved;
  return faulty ? words.chat.cannotSave : words.chat.unsaved;
}
