import { useEffect, useState } from "react";
import { findEntry } from "./entry.ts";

/** The marketplace's address that comes back to `place` with a new session; null: there is none, or not yet. */
export function useEntry(place: string): string | null {
  const [entry, setEntry] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    void findEntry(place).then((found) => {
      if (!gone) setEntry(found);
    });
    return () => {
      gone = true;
    };
  }, [place]);
  return entry;
}
