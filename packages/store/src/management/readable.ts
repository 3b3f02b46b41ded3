import { isOfContent } from "../about-rows.ts";

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

type Details = Record<string, string | number | null>;

/** Details that a row keeps as JSON. Where the text is damaged, it is shown as it is. */
export function detailsOf(text: string): Details {
  try {
    return JSON.parse(text) as Details; // As it was written.
  } catch {
    return { unreadable: text };
  }
}
