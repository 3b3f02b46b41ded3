import type { ChatOptionsFault, MessageFault } from "@markethook/chat";
import type { ReactNode } from "react";
import { words } from "../words/words.ts";
import { fromService } from "../words/rich.ts";

/** In the page's language, as far as that has words for it. */
export function messageFaultWords(fault: MessageFault | ChatOptionsFault): ReactNode {
  const say = fault.code === undefined ? undefined : words.chat.faults[fault.code];
  return say === undefined || fault.code === undefined
    ? fromService(fault.sentence)
    : say(fault.of);
}
