import { operatorAdvice } from "@markethook/cli";
import { type ErrorCode, errorEntry, isMarkethookError } from "@markethook/protocol";

/** The words of a fault in operators' log lines. */
export interface FaultWords {
  /** The fault; for an unexpected one, the stacks of it and of its causes. */
  error: string;
  code?: ErrorCode;
  /** Advice for an operator. */
  advice?: string;
}

/** An error may, by mistake, be among its own causes. */
const MOST_CAUSES = 4;

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
  const advice = error instanceof Error && "code" in error ? ADVICE[String(error.code)] : undefined;
  return advice === undefined ? { error: stacks(error) } : { error: String(error), advice };
}

/** Of system errors that are no fault of the program: where they came from tells nothing. */
const ADVICE: Readonly<Record<string, string>> = {
  EMFILE:
    "Raise the limit of open files (systemd: LimitNOFILE=65536; docker: --ulimit nofile=65536), or lower MARKETHOOK_CLIENT_CONNECTIONS or MARKETHOOK_RECEIVER_CONNECTIONS.",
  ENFILE:
    "Raise the machine's limit of open files (Linux: fs.file-max), or find what uses them up.",
};

/** Not `util.inspect`, which also prints an error's other members: a database's have values of rows. */
function stacks(error: unknown, left = MOST_CAUSES): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  if (error.cause === undefined || left === 0) return own;
  return `${own}\nCaused by: ${stacks(error.cause, left - 1)}`;
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
