import { Button } from "@mantine/core";
import { timeToTheMinute } from "../shared/times.ts";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";
import type { Searched } from "./log-paging.ts";

interface SearchedNoteProps {
  searched: Searched;
  /** Continues the search; null: nothing is left, or it continues by itself. */
  onFurther: (() => void) | null;
  busy: boolean;
  /** The text can be a buyer's id: shows all deliveries about that buyer, however old. */
  buyer: { id: number; onBuyer: () => void } | null;
}

function searchedWords({ deliveries, backTo, isAll }: Searched): string {
  return isAll
    ? words.deliveries.searchedAll(deliveries)
    : words.deliveries.searchedNewest(deliveries, backTo === null ? null : timeToTheMinute(backTo));
}

/** How far the log was searched. */
export function SearchedNote({ searched, onFurther, busy, buyer }: SearchedNoteProps) {
  return (
    <div className={stack["row"]}>
      <span role="status">{searchedWords(searched)}</span>
      {onFurther === null ? null : (
        <Button variant="default" size="xs" loading={busy} onClick={onFurther}>
          {words.deliveries.searchFurther}
        </Button>
      )}
      {buyer === null ? null : (
        <Button variant="default" size="xs" onClick={buyer.onBuyer}>
          {words.deliveries.allAboutBuyer(buyer.id)}
        </Button>
      )}
    </div>
  );
}
