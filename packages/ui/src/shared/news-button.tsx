import { Button } from "@mantine/core";
import type { RefObject } from "react";
import classes from "./news-button.module.css";

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
