import { EXIT, type ExitCode } from "@markethook/cli";
import { type ErrorCode, isMarkethookError } from "@markethook/protocol";

/** Exit codes of the commands that run the service. */
export const START_EXITS = {
  0: "stopped in order, by SIGTERM or SIGINT",
  1: "ended by a second signal, a fault or a stop that took too long, or could not start for a reason that may pass",
  2: "could not start, and will not before something is changed; the reason is printed",
};

/** The same start fails again until a setting, a file or the program is changed. */
const LASTING_CODES: ReadonlySet<ErrorCode> = new Set([
  "config_invalid",
  "database_replaced",
  "database_rights_missing",
  "engine_too_old",
  "database_encoding_wrong",
  "master_key_missing",
  "master_key_wrong",
  "migration_failed",
  "moved_to_postgresql",
  "schema_newer",
  "schema_unknown",
  "tables_elsewhere",
]);

/** Codes of files and folders that this user cannot use. */
const LASTING_SYSTEM: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EEXIST",
  "EISDIR",
  "ENOENT",
  "ENOTDIR",
  "EPERM",
  "EROFS",
]);

/** SQLite: a broken file, and a file that is no database. */
const LASTING_SQLITE: ReadonlySet<unknown> = new Set([11, 26]);

/**
 * Returns the exit code of a failed start: 1 if a restart may help (the disk is full, the database does not answer, the
 * port or the folder is still in use, or the fault was unexpected), 2 if it will not.
 */
export function startExitCode(error: unknown): ExitCode {
  if (isMarkethookError(error) && LASTING_CODES.has(error.code)) return EXIT.usage;
  const source = isMarkethookError(error) ? error.detail.cause : error;
  if (!(source instanceof Error)) return EXIT.no;
  // Node's and SQLite's have them.
  const { code, errcode, syscall } = source as Partial<
    Record<"code" | "errcode" | "syscall", unknown>
  >;
  // The file of a socket is missing for as long as its server is away.
  if (syscall === "connect" && code === "ENOENT") return EXIT.no;
  const lasting = LASTING_SYSTEM.has(code) || LASTING_SQLITE.has(errcode);
  return lasting ? EXIT.usage : EXIT.no;
}
