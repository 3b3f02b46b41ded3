import { operatorAdvice } from "@markethook/cli";
import { type ErrorCode, errorEntry, isMarkethookError } from "@markethook/protocol";

/** A fault as operators' lines tell it. */
export interface FaultWords {
  /** What happened; of a fault that nobody foresaw, the stack. */
  error: string;
  code?: ErrorCode;
  /** What an operator can do. */
  advice?: string;
}

/** The catalogue's advice is left out: it tells callers of the API to repeat their request. */
export function faultWords(error: unknown): FaultWords {
  if (isMarkethookError(error)) {
    const advice = operatorAdvice(error);
    return {
      error: error.detail.detail ?? errorEntry(error.code).title,
      code: error.code,
      ...(advice === null ? {} : { advice }),
    };
  }
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** In one sentence, without a stack. */
export function faultSentence(error: unknown): string {
  if (isMarkethookError(error)) return faultWords(error).error;
  return error instanceof Error ? error.message : String(error);
}

/** Without what differs from one repetition to the next: ports, numbers of deliveries. */
export function faultKind(sentence: string): string {
  return sentence.replaceAll(/\d+/g, "0");
}
