import { VisuallyHidden } from "@mantine/core";
import { useEffect, useState } from "react";

/** A burst is told once, not delivery by delivery. */
const PAUSE_MS = 2000;

/** Tells a screen reader that deliveries have arrived. */
export function Arrivals({ count }: { count: number }) {
  const [told, setTold] = useState({ count: 0, words: "" });
  useEffect(() => {
    if (count < told.count) setTold({ count, words: "" });
    if (count <= told.count) return;
    const timer = setTimeout(() => {
      const fresh = count - told.count;
      setTold({ count, words: fresh === 1 ? "1 new delivery" : `${fresh} new deliveries` });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [count, told]);
  return <VisuallyHidden aria-live="polite">{told.words}</VisuallyHidden>;
}
