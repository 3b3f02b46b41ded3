import type { ErrorCode, MarkethookError } from "@markethook/protocol";

/** The catalogue's advice on these is for callers of the API: they repeat their request. An operator has other means. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  storage_full: "Free space on the disk of the database.",
  outcome_unknown: "Look at the database and its standbys.",
  overloaded: "Look at the disk and the database: commits are slower than reports come.",
};
const SQLITE_AWAY = "Check the data folder (MARKETHOOK_DATA_DIR) and its disk.";
const POSTGRES_AWAY = "Check MARKETHOOK_DATABASE_URL, and that the server runs and can be reached.";

/** What an operator can do about it; null where the catalogue's advice is for operators already. */
export function operatorAdvice({ code, detail }: MarkethookError): string | null {
  if (code !== "store_unavailable") return ADVICE[code] ?? null;
  return detail.detail?.startsWith("SQLite") === true ? SQLITE_AWAY : POSTGRES_AWAY;
}
