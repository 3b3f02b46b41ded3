import { VisuallyHidden } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { words } from "../words/words.ts";

/** A burst is told once, not delivery by delivery. */
const PAUSE_MS = 2000;

/** Tells a screen reader that deliveries have arrived. `count` only grows. */
export function Arrivals({ count }: { count: number }) {
  const [told, setTold] = useState({ count, text: "" });
  const isPending = count > told.count;
  const tell = useEffectEvent(() => {
    const fresh = count - told.count;
    setTold({ count, text: words.deliveries.newOnes(fresh) });
  });
  // From the first of a burst on: one that does not end is told, too.
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => tell(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  // The same words twice would not be read out the second time.
  return <VisuallyHidden aria-live="polite">{isPending ? "" : told.text}</VisuallyHidden>;
}
