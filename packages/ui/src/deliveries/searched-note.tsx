import { Button } from "@mantine/core";
import stack from "../shared/stack.module.css";
import { searchedWords, type Searched } from "./searched.ts";

interface SearchedNoteProps {
  searched: Searched;
  /** There is more to search, and it is not searched by itself. */
  onFurther: (() => void) | null;
  busy: boolean;
  /** What is sought could be a buyer's id: shows all about that one, however old. */
  buyer: { id: number; onBuyer: () => void } | null;
}

/** How far the log was searched. */
export function SearchedNote({ searched, onFurther, busy, buyer }: SearchedNoteProps) {
  return (
    <div className={stack["row"]}>
      <span role="status">{searchedWords(searched)}</span>
      {onFurther === null ? null : (
        <Button variant="default" size="xs" loading={busy} onClick={onFurther}>
          Search further
        </Button>
      )}
      {buyer === null ? null : (
        <Button variant="default" size="xs" onClick={buyer.onBuyer}>
          All about buyer {buyer.id}
        </Button>
      )}
    </div>
  );
}
