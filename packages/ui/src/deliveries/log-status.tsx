import { Button, VisuallyHidden } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { useLiveStatus } from "../live/live-context.tsx";
import { BusyButton } from "../shared/buttons.tsx";
import { StateLabel } from "../shared/inline-text.tsx";
import stack from "../shared/stack.module.css";
import { timeToTheMinute } from "../shared/times.ts";
import { useOffline } from "../shared/use-offline.ts";
import { words } from "../words/words.ts";
import type { LogFilter } from "./log-filter.ts";
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
        <BusyButton variant="default" size="xs" busy={busy} onClick={onFurther}>
          {words.deliveries.searchFurther}
        </BusyButton>
      )}
      {buyer === null ? null : (
        <Button variant="default" size="xs" onClick={buyer.onBuyer}>
          {words.deliveries.allAboutBuyer(buyer.id)}
        </Button>
      )}
    </div>
  );
}

/** A burst is announced once, not delivery by delivery. */
const PAUSE_MS = 2000;

/** Tells a screen reader that deliveries have arrived. `count` only grows. */
export function Arrivals({ count }: { count: number }) {
  const [told, setTold] = useState({ count, text: "" });
  const isPending = count > told.count;
  const tell = useEffectEvent(() => {
    const fresh = count - told.count;
    setTold({ count, text: words.deliveries.newOnes(fresh) });
  });
  // From the first of a burst on: one that does not end is announced, too.
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => tell(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  // The same words twice would not be read out the second time.
  return <VisuallyHidden aria-live="polite">{isPending ? "" : told.text}</VisuallyHidden>;
}

const LIVE_TONES = { connecting: "quiet", live: "good", offline: "quiet", away: "busy" } as const;

/** Whether new deliveries appear by themselves right now. */
export function LiveLabel() {
  const status = useLiveStatus();
  // The stream notices only later that nothing comes any more.
  const shown = useOffline() ? "offline" : status;
  return <StateLabel tone={LIVE_TONES[shown]}>{words.live[shown]}</StateLabel>;
}

interface FilterStatusProps {
  filter: LogFilter;
  /** Whether the shown rows were read with this filter. */
  isRead: boolean;
  count: number;
  hasMore: boolean;
}

/** Tells a screen reader how much is shown after the filter was changed. Rows that come later by themselves are not announced. */
export function FilterStatus({ filter, isRead, count, hasMore }: FilterStatusProps) {
  const key = JSON.stringify(filter);
  const [told, setTold] = useState({ key, text: "" });
  if (isRead && told.key !== key) {
    setTold({ key, text: words.shared.deliveries(count, hasMore) });
  }
  return (
    <VisuallyHidden role="status">
      {/* By its key, because the same words again are read out only if they are new on the page. */}
      <span key={told.key}>{told.key === key ? told.text : ""}</span>
    </VisuallyHidden>
  );
}
