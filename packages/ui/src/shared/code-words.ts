import { ApiError, UnexpectedAnswerError, UnreachableError } from "@markethook/client";
import type { ReactNode } from "react";
import { fromService, rich } from "../words/rich.ts";
import { words } from "../words/first-words.ts";
import { list } from "../words/numbers.ts";

export function eventTitle(name: string): string {
  const titles: Readonly<Record<string, { title: string }>> = words.shared.events;
  return titles[name]?.title ?? name;
}

/** "All events", or their titles. */
export function chosenWords(events: readonly string[] | null): string {
  return events === null ? words.shared.allEvents : list(events.map(eventTitle));
}

/** The words of an error for a person: what is wrong, and what to do. */
export function errorWords(error: unknown): { title: ReactNode; text: ReactNode } {
  if (error instanceof ApiError) {
    const known = words.errors[error.code];
    const text = known?.text ?? fromService(error.detail);
    return {
      title: known?.title ?? fromService(error.title),
      text: error.status < 500 ? text : rich`${text} ${words.shared.reference(error.requestId)}`,
    };
  }
  if (error instanceof UnreachableError) return words.shared.unreachable;
  if (error instanceof UnexpectedAnswerError) return words.shared.somethingElse;
  return words.shared.wentWrong;
}

/** The same in one sentence or two, for a place without a title. */
export function faultWords(code: string, sentence: string): ReactNode {
  const known = words.errors[code];
  if (known === undefined) return fromService(sentence);
  return known.text === null
    ? rich`${known.title} ${fromService(sentence)}`
    : `${known.title} ${known.text}`;
}

const WITHOUT_CONNECTION: ReadonlySet<string> = new Set([
  "blocked",
  "dns_failure",
  "connection_refused",
  "connection_failed",
  "tls_certificate_expired",
  "tls_certificate_untrusted",
  "tls_name_mismatch",
]);

/** In place of a status, where nothing more than the outcome is known. */
export function missingStatus(outcome: string): string {
  return WITHOUT_CONNECTION.has(outcome) ? words.shared.notSent : words.shared.noReply;
}
