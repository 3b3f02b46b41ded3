/**
 * Which page of a log to read, newest first. Each statement reads a bounded number of rows, and a call ends after a tenth
 * of a second, a second if it has found nothing (or after about `examined` rows). So a page may have fewer than `limit`
 * items, even none.
 */
export interface LogPosition {
  /** Exclusive; null: from the newest. */
  beforeSeq: number | null;
  limit: number;
  /** About how many rows to read. */
  examined?: number;
}

export interface LogPage<T> {
  items: T[];
  /** The page after it begins before this number; null: there is none. */
  nextSeq: number | null;
}
