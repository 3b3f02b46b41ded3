const GAP = "  ";
/** Characters that a terminal shows two columns wide, and such that it joins to the one before. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/u;
const JOINED = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]$/u;

/** A table without lines, for reading and for `awk`. Cells pass `visible()` before they get here. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => ({ cell, columns: columnsOf(cell) })));
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.columns ?? 0)));
  return all
    .map((row) =>
      row
        .map(({ cell, columns }, at) => cell + " ".repeat((widths[at] ?? 0) - columns))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** How wide a terminal shows it; a guess, as terminals differ. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (!JOINED.test(character)) columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}
