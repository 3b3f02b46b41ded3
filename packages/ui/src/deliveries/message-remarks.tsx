import { Notice } from "../shared/notice.tsx";
import { UserText } from "../shared/user-text.tsx";

interface MessageRemarksProps {
  fault: string | undefined;
  warnings: readonly string[] | undefined;
}

/** What became of a chat's message on the way: the owner's own could not be used, something was cut. */
export function MessageRemarks({ fault, warnings = [] }: MessageRemarksProps) {
  if (fault === undefined && warnings.length === 0) return null;
  return (
    <Notice
      kind="warn"
      {...(fault === undefined ? {} : { title: "The default message was posted instead of yours" })}
    >
      {[...(fault === undefined ? [] : [fault]), ...warnings].map((sentence) => (
        <p key={sentence}>
          <UserText>{sentence}</UserText>
        </p>
      ))}
    </Notice>
  );
}
