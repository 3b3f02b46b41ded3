import type { Delivery } from "@markethook/client";
import { words } from "../words/words.ts";

/** What came of a delivery's last attempt, in a few words; the status, if there was one, stands before them. */
export function replyWords({
  lastStatus,
  lastOutcome,
}: Pick<Delivery, "lastStatus" | "lastOutcome">): {
  status: number | null;
  words: string;
} {
  if (lastOutcome === null) return { status: null, words: "" };
  const { redirect, short, shortOurs, statuses } = words.deliveries;
  const outcomes: Readonly<Record<string, string>> = short;
  if (lastStatus === null) return { status: null, words: outcomes[lastOutcome] ?? shortOurs };
  if (lastOutcome === "ok") return { status: lastStatus, words: "" };
  if (lastStatus >= 300 && lastStatus < 400) return { status: lastStatus, words: redirect };
  const names: Readonly<Record<number, string>> = statuses;
  return { status: lastStatus, words: names[lastStatus] ?? "" };
}
