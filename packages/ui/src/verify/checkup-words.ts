import type { Checkup } from "@markethook/client";
import type { ReactNode } from "react";
import { outcomeWords } from "../deliveries/delivery-words.ts";
import { fromService } from "../words/rich.ts";
import { words } from "../words/words.ts";

type Probe = Checkup["probes"][number];

/** What the check found, and what to do. Null: nothing. */
export function judgementWords(checkup: Checkup): { title: ReactNode; text: ReactNode } {
  const { verdict, sentence, advice, ping } = checkup;
  const known = words.verify.judgements[codeOf(checkup)];
  const title = known?.sentence ?? fromService(sentence);
  if (verdict === "ping_failed") {
    const { title: failure, next } = outcomeWords({ ...ping, isChat: false, fate: "test" });
    return { title, text: `${failure}. ${next}` };
  }
  if (known !== undefined) return { title, text: known.advice };
  return { title, text: advice === null ? null : fromService(advice) };
}

/** The service gives two reasons for `cannot_tell`; one of them is that replies are missing. */
function codeOf({ verdict, probes }: Checkup): string {
  const acceptsForged = probes.some(
    ({ kind, finding }) => kind === "forged" && finding === "wrong",
  );
  return verdict === "cannot_tell" && !acceptsForged ? "no_reply" : verdict;
}

/** What the reply to one request means. */
export function probeSentence({ probe, kind, finding, status, sentence }: Probe): ReactNode {
  const known = words.verify.probes[probe];
  if (known === undefined) return fromService(sentence);
  const { accepted, refused, noReply, askedLess, crashed, parsedFirst } = words.verify;
  if (finding === "right") return kind === "genuine" ? accepted : refused;
  if (finding === "unknown") return status === null ? noReply : askedLess;
  if (finding === "wrong" || kind === "genuine") return known.wrong;
  return (status ?? 0) >= 500 ? crashed : parsedFirst;
}
