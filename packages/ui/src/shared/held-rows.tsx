import { Button } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import classes from "./held-rows.module.css";

/** On its way from one row to the next, focus is nowhere for a moment; a tap's click comes after its finger has gone. */
const PAUSE_MS = 300;

/**
 * Whether rows must stay where they are because somebody points at them, has the focus among them, or has scrolled
 * down to them. `onRelease` is called a moment after none of that is so any more.
 */
export function useHold(zone: RefObject<HTMLElement | null>, onRelease: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isHeld = (): boolean => {
    const element = zone.current;
    if (element === null) return false;
    // A finger that was lifted leaves :hover behind.
    const pointed = matchMedia("(hover: hover)").matches ? ":hover" : ":active";
    return element.matches(`${pointed}, :focus-within`) || element.getBoundingClientRect().top < -8;
  };
  const mayRelease = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (!isHeld()) onRelease();
    }, PAUSE_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { isHeld, handlers: { onPointerLeave: mayRelease, onBlur: mayRelease } };
}

interface NewsButtonProps {
  /** Null: nothing is held back. */
  words: string | null;
  list: RefObject<HTMLElement | null>;
  /** Selector of the element in a row that takes the focus. */
  focusable: string;
  onShow: () => void;
}

/** Over a list whose new rows are held back: shows them, and where they are. */
export function NewsButton({ words, list, focusable, onShow }: NewsButtonProps) {
  if (words === null) return null;
  return (
    <div className={classes["news"]}>
      <Button
        size="xs"
        radius="xl"
        onClick={(event) => {
          onShow();
          list.current?.scrollIntoView();
          // Pressed with the keyboard: the button is gone, and the focus would be nowhere.
          if (event.detail === 0) list.current?.querySelector<HTMLElement>(focusable)?.focus();
        }}
      >
        {words}
      </Button>
    </div>
  );
}
