import type { ApiError } from "@markethook/client";
import { ERRORS, isMarkethookError } from "@markethook/protocol";
import { operatorAdvice } from "./operator-advice.ts";
import { systemSentence } from "./system-sentence.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { visible, visibleLines } from "./visible-text.ts";

/** Why a command ends without having done its work, for a person to read. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  /** What to do about it; a sentence. */
  readonly advice: string;
  /** A stable code, where there is one. */
  readonly code: string | undefined;

  constructor(
    exitCode: ExitCode,
    message: string,
    options: { advice?: string; code?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "CommandFailure";
    this.exitCode = exitCode;
    this.advice = options.advice ?? "";
    this.code = options.code;
  }
}

/** Wrong usage, or a file, port or setting that cannot be used. */
export function usageFailure(message: string, advice = ""): CommandFailure {
  return new CommandFailure(EXIT.usage, message, { advice });
}

/** Whatever a command threw, as something with an exit code. A fault nobody foresaw keeps its stack. */
export function toCommandFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const ofServer = serverFailure(error);
  if (ofServer !== null) return ofServer;
  if (isMarkethookError(error)) {
    const { title } = ERRORS[error.code];
    const advice = operatorAdvice(error) ?? ERRORS[error.code].advice;
    const message = error.detail.detail ?? title;
    return new CommandFailure(EXIT.usage, message, { advice, code: error.code, cause: error });
  }
  if (!(error instanceof Error)) return new CommandFailure(EXIT.usage, String(error));
  const system = systemSentence(error);
  if (system !== null) return usageFailure(system);
  return new CommandFailure(EXIT.usage, error.stack ?? error.message, {
    advice: "This is a fault of the command itself; please report it.",
    cause: error,
  });
}

/** As shown at the end of standard error. */
export function failureText({ message, advice, code }: CommandFailure): string {
  const end = code === undefined ? "" : ` [${visible(code)}]`;
  return `markethook: ${visibleLines(message)}${advice === "" ? "" : ` ${visible(advice)}`}${end}`;
}

/**
 * The client's errors, told by their names: loading the client only to compare classes would slow down every command
 * that talks to no server.
 */
function serverFailure(error: unknown): CommandFailure | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "ApiError") return refusal(error as ApiError); // Told by its name.
  const advice = "Check --api or MARKETHOOK_API_URL, and that the service runs.";
  const nobody = error.name === "UnreachableError" || error.name === "UnexpectedAnswerError";
  if (!nobody) return null;
  return new CommandFailure(EXIT.unreachable, error.message, { advice, cause: error });
}

/** The detail says what to do too. */
function refusal(error: ApiError): CommandFailure {
  const { code, title, detail, pointer, requestId, errors } = error;
  const lines = [
    `The server refused: ${title} ${detail}`,
    ...(errors.length > 1 ? errors.map((one) => `  ${one.pointer}: ${one.detail}`) : []),
    `  ${pointer === null ? "" : `at ${pointer}, `}request ${requestId}`,
  ];
  return new CommandFailure(EXIT.refused, lines.join("\n"), { code, cause: error });
}
