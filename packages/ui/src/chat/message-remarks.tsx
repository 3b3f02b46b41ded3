import { Notice } from "../shared/panels.tsx";
import { words } from "../words/words.ts";
import type { ReactNode } from "react";
import type { Attempt } from "@markethook/client";
import type { ChatOptionsFault, MessageFault } from "@markethook/chat";
import { fromService } from "../words/rich.ts";
import { allChatWords } from "./platforms.ts";

/** In the page's language, as far as that has words for it. */
export function messageFaultWords(fault: MessageFault | ChatOptionsFault): ReactNode {
  const say = fault.code === undefined ? undefined : words.chat.faults[fault.code];
  return say === undefined || fault.code === undefined
    ? fromService(fault.sentence)
    : say(fault.of);
}

/** A warning about a message, in the page's language as far as it is known there. */
export function warningWords(sentence: string): ReactNode {
  const own = allChatWords().find(({ said }) => said[sentence] !== undefined);
  return own?.said[sentence] ?? fromService(sentence);
}

/** Remarks on a chat's message: the owner's own could not be used, or a text was cut. */
export function MessageRemarks({ of }: { of: Pick<Attempt, "fault" | "warnings"> }) {
  const { fault, warnings = [] } = of;
  if (fault === undefined && warnings.length === 0) return null;
  return (
    <Notice kind="warn" {...(fault === undefined ? {} : { title: words.deliveries.defaultPosted })}>
      {[...(fault === undefined ? [] : [fault]), ...warnings].map((sentence) => (
        <p key={sentence}>
          <bdi dir="auto">{warningWords(sentence)}</bdi>
        </p>
      ))}
    </Notice>
  );
}
