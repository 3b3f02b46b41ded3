import { warningWords } from "../chat/message-fault-words.ts";
import { Notice } from "../shared/notice.tsx";
import { words } from "../words/words.ts";

interface MessageRemarksProps {
  fault: string | undefined;
  warnings: readonly string[] | undefined;
}

/** What became of a chat's message on the way: the owner's own could not be used, something was cut. */
export function MessageRemarks({ fault, warnings = [] }: MessageRemarksProps) {
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
