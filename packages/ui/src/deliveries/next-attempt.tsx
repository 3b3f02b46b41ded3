import type { DeliveryDetail } from "@markethook/client";
import { Notice } from "../shared/notice.tsx";
import { When } from "../shared/when.tsx";
import { outcomeWords } from "./outcome-words.ts";

/** When it goes next and why then; for one that failed, what to do. */
export function NextAttempt({ delivery }: { delivery: DeliveryDetail }) {
  const last = delivery.attemptList.at(-1);
  const advice = last === undefined ? "" : outcomeWords(last.outcome, last.sent).next;
  if (delivery.state === "dead") {
    return (
      <Notice kind="warn" title="It is not tried again by itself">
        {advice} Then send it again.
      </Notice>
    );
  }
  if (delivery.next === null) return null;
  const { at, reason } = delivery.next;
  const failed = delivery.attempts > 0 && delivery.state === "pending";
  return (
    <Notice
      kind="info"
      title={
        at === null || delivery.state === "held" ? (
          reason
        ) : (
          <>
            Next attempt <When at={at} />
          </>
        )
      }
    >
      {at === null || delivery.state === "held" ? undefined : `${reason} ${failed ? advice : ""}`}
    </Notice>
  );
}
