import { ApiError, UnexpectedAnswerError, UnreachableError } from "@markethook/client";
import type { ReactNode } from "react";
import { fromService, rich } from "../words/rich.ts";
import { words } from "../words/first-words.ts";

/** What a person reads of an error: what is wrong, and what to do. */
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
