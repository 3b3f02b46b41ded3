import { VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { LogFilter } from "./log-filter.ts";
import { words } from "../words/words.ts";

interface FilterStatusProps {
  filter: LogFilter;
  /** What is shown is by this filter. */
  isRead: boolean;
  count: number;
  hasMore: boolean;
}

/** Tells a screen reader how much is shown after the filter was changed. What comes later by itself is not told here. */
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
