import type { ReactNode } from "react";
import { fromService } from "../words/rich.ts";
import { allChatWords } from "./platforms.ts";

/** A warning about a message, in the page's language as far as it is known there. */
export function warningWords(sentence: string): ReactNode {
  const own = allChatWords().find(({ said }) => said[sentence] !== undefined);
  return own?.said[sentence] ?? fromService(sentence);
}
