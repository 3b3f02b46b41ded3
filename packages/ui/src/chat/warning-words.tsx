import type { ReactNode } from "react";
import { fromService } from "../words/rich.ts";
import { words } from "../words/words.ts";

/** A warning about a message, in the page's language as far as it is known there. */
export function warningWords(sentence: string): ReactNode {
  for (const { warnings } of Object.values(words.chatPlatforms)) {
    const own = warnings[sentence];
    if (own !== undefined) return own;
  }
  return fromService(sentence);
}
