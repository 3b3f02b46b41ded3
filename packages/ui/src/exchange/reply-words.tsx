import type { Attempt } from "@markethook/client";
import { UserText } from "../shared/inline-text.tsx";
import { replyWords } from "./exchange-text.ts";

/** What a failed attempt's reply says, next to what it means. */
export function ReplyWords({ attempt }: { attempt: Pick<Attempt, "outcome" | "response"> }) {
  const text = attempt.outcome === "ok" ? null : replyWords(attempt);
  if (text === null) return null;
  return (
    <>
      <code>
        <UserText>{text}</UserText>
      </code>{" "}
    </>
  );
}
