import {
  checkShape,
  FILE_VERSION_SHAPE,
  jsonObject,
  type PreviousFileVersion,
} from "@markethook/protocol";
import { isOfContent } from "../row-faults.ts";

/** For lists: leaves out rows that no code of this version can read, so that the others are shown. */
export function readableOnly<Row, T>(rows: readonly Row[], read: (row: Row) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (isOfContent(error)) return [];
      throw error;
    }
  });
}

/** A damaged version of a resource is shown as none. The next import of one, or the next update, replaces it. */
export function fileVersionOf({
  file_version: text,
}: {
  file_version: string | null;
}): PreviousFileVersion | null {
  const version = text === null ? null : jsonObject(text);
  return checkShape(FILE_VERSION_SHAPE, version) === null
    ? (version as unknown as PreviousFileVersion) // As was just checked.
    : null;
}

type Details = Record<string, string | number | null>;

/** Details that a row keeps as JSON. Where the text is damaged, it is shown as it is. */
export function detailsOf(text: string): Details {
  return (jsonObject(text) as Details | null) ?? { unreadable: text }; // As it was written.
}
