import { operatorAdvice } from "@markethook/cli";
import { type ErrorCode, errorEntry, isMarkethookError } from "@markethook/protocol";

/** The words of a fault in operators' log lines. */
export interface FaultWords {
  /** The fault; for an unexpected one, the stack. */
  error: string;
  code?: ErrorCode;
  /** Advice for an operator. */
  advice?: string;
}

/** Without the catalogue's advice, which tells callers of the API to repeat their request. */
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

/** Removes parts that differ between repetitions: ports, numbers of deliveries. */
export function faultKind(sentence: string): string {
  return sentence.replaceAll(/\d+/g, "0");
}
