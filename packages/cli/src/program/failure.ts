import { getSystemErrorMessage } from "node:util";
import type { ApiError, UnreachableError } from "@markethook/client";
import {
  type ErrorCode,
  ERRORS,
  isMarkethookError,
  type MarkethookError,
} from "@markethook/protocol";
import { visible, visibleLines } from "../output/visible-text.ts";

/** How every command ends. Scripts rely on these; a number never changes its meaning. */
export const EXIT = {
  done: 0,
  /** It ran, and the answer is no: not verified, not delivered, not up to date, some items rejected. */
  no: 1,
  /** Wrong usage, or a setting, file or port that cannot be used. */
  usage: 2,
  unreachable: 3,
  /** The server answered with an error. */
  refused: 4,
  /** By Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** In general; a command's help may say more exactly what its 1 means. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "done",
  1: "it ran, and the answer is no (not verified, not delivered, some items rejected)",
  2: "wrong usage, or a setting, file or port that cannot be used",
  3: "the server could not be reached",
  4: "the server refused; its code and what to do are printed",
  130: "interrupted by Ctrl-C; 143 by SIGTERM",
};

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

/** Turns anything that a command threw into a failure with an exit code. An unexpected fault keeps its stack. */
export function toCommandFailure(error: unknown, exitCode: ExitCode = EXIT.usage): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const ofServer = serverFailure(error);
  if (ofServer !== null) return ofServer;
  if (isMarkethookError(error)) {
    const { title } = ERRORS[error.code];
    const advice = operatorAdvice(error) ?? ERRORS[error.code].advice;
    const message = error.detail.detail ?? title;
    return new CommandFailure(exitCode, message, { advice, code: error.code, cause: error });
  }
  if (!(error instanceof Error)) return new CommandFailure(exitCode, String(error));
  if ("code" in error && error.code === "ERR_SQLITE_ERROR") {
    const of = { advice: SQLITE_AWAY, code: "store_unavailable", cause: error };
    return new CommandFailure(exitCode, `SQLite: ${error.message}.`, of);
  }
  const system = systemSentence(error);
  if (system !== null) return new CommandFailure(exitCode, system);
  return new CommandFailure(exitCode, error.stack ?? error.message, {
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
  const nobody = error.name === "UnreachableError" || error.name === "UnexpectedAnswerError";
  if (!nobody) return null;
  const { mayHaveArrived = false } = error as Partial<UnreachableError>; // The other one has no such member.
  const where = "Check --api or MARKETHOOK_API_URL, and that the service runs.";
  const advice = mayHaveArrived
    ? `${where} Before you repeat a change, look whether it was made.`
    : where;
  return new CommandFailure(EXIT.unreachable, error.message, { advice, cause: error });
}

/** The detail says what to do too. */
function refusal(error: ApiError): CommandFailure {
  const { code, title, detail, pointer, requestId, errors } = error;
  const places = [
    ...(pointer === null ? [] : [`at ${pointer}`]),
    ...(requestId === "" ? [] : [`request ${requestId}`]),
  ];
  const lines = [
    `The server refused: ${title} ${detail}`,
    ...(errors.length > 1 ? errors.map((one) => `  ${one.pointer}: ${one.detail}`) : []),
    `  ${places.join(", ")}`,
  ];
  return new CommandFailure(EXIT.refused, lines.join("\n"), { code, cause: error });
}

/** The catalogue's advice on these is for callers of the API: they repeat their request. An operator has other means. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  storage_full: "Free space on the disk of the database.",
  outcome_unknown:
    "Commits take too long: look at the database, its disk and its standbys, at other programs that lock it, and at this machine's processors.",
  overloaded: "Look at the disk and the database: commits are slower than reports come.",
};
const SQLITE_AWAY =
  "Check the data folder (MARKETHOOK_DATA_DIR) and its disk: whether it fails, and a quota or limit of this user.";
/** The last byte of the code while another process holds the lock. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED =
  "Another program locks the database's file, as a backup or an open shell of sqlite3: end it. `fuser -v` with the file's name lists such programs.";
/** The code for a file that was deleted, moved or replaced below the service. Its end would end the last copy. */
const SQLITE_MOVED = 1032;
const SQLITE_LOST =
  "Do not stop the service before you have a copy: docs/how-to/back-up-and-restore.md says how.";
const POSTGRES_AWAY = "Check MARKETHOOK_DATABASE_URL, and that the server runs and can be reached.";
/** By PostgreSQL's code: the server can be reached, but refuses. */
const POSTGRES_REFUSES: Readonly<Record<string, string>> = {
  "25006":
    "The server takes no writes: it is a standby, or set to read only. Point MARKETHOOK_DATABASE_URL at the primary.",
  "42501":
    "Grant the right to the user of MARKETHOOK_DATABASE_URL; `markethook doctor` names the tables.",
  "53300":
    "All connections are taken: close others, or raise the limit of the server, the database or the user. An instance needs 15.",
};

/** What an operator can do about it; null where the catalogue's advice is for operators already. */
export function operatorAdvice({ code, detail }: MarkethookError): string | null {
  if (code !== "store_unavailable") return ADVICE[code] ?? null;
  const { cause } = detail;
  if (detail.detail?.startsWith("SQLite") === true) {
    const errcode = cause instanceof Error && "errcode" in cause ? Number(cause.errcode) : 0;
    if (errcode === SQLITE_MOVED) return SQLITE_LOST;
    return (errcode & 0xff) === SQLITE_BUSY ? SQLITE_LOCKED : SQLITE_AWAY;
  }
  const state = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return POSTGRES_REFUSES[state] ?? POSTGRES_AWAY;
}

/** Files and ports that cannot be used are the user's to fix; a stack would only hide it. */
function systemSentence(error: NodeJS.ErrnoException): string | null {
  const where = error.path ?? "";
  switch (error.code) {
    case "ENOENT":
      return `There is no file ${where}.`;
    case "EISDIR":
      return `${where === "" ? "The given file or address" : where} is a folder, not a file.`;
    case "EACCES":
    case "EPERM":
      return `No permission for ${where === "" ? "it" : where}.`;
    case "EEXIST":
      return `${where} ${error.syscall === "mkdir" ? "is a file, not a folder" : "exists already"}.`;
    case "ENOTDIR":
      return `${where === "" ? "The given file or address" : where} is a file, not a folder.`;
    case "EROFS":
      return `${where === "" ? "It" : where} is on a file system that is read-only.`;
    case "ENOSPC":
      return "The disk is full.";
    default:
      if (error.errno === undefined || error.syscall === undefined) return null;
      return `${where === "" ? "The given file or address" : where} cannot be used: ${getSystemErrorMessage(error.errno)}.`;
  }
}
