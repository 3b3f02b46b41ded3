import type { Command } from "commander";
import type { Context } from "../program/context.ts";
import { whole } from "../options/option-values.ts";
import { visible } from "./visible-text.ts";

const GAP = "  ";
/** Characters that a terminal shows two columns wide, and such that it joins to the one before. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/u;
const JOINED = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]$/u;

/** A table without lines, for reading and for `awk`. Cells pass `visible()` before they get here. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => ({ cell, columns: columnsOf(cell) })));
  // Not spread into a call: a call takes a hundred thousand values at most.
  const widths = head.map((_, at) =>
    all.reduce((most, row) => Math.max(most, row[at]?.columns ?? 0), 0),
  );
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

export interface ListOptions {
  limit: number;
  all: boolean;
}

const LIMIT = 50;
const PAGE_SIZE = 200;

export function addListOptions(command: Command): Command {
  return command
    .option("--limit <number>", "how many at most", whole(1, 1_000_000), LIMIT)
    .option("--all", "as many as there are", false);
}

/** How many to ask for at a time: one more than is shown, to know whether there are more. */
export function pageSize({ limit, all }: ListOptions): number {
  return all ? PAGE_SIZE : Math.min(PAGE_SIZE, limit + 1);
}

/** A list as a table, or with `--json` a line per item. Cells may hold anything. */
export async function printList<T>(
  { out }: Context,
  items: AsyncIterable<T> | Iterable<T>,
  { limit, all }: ListOptions,
  head: readonly string[],
  row: (item: T) => readonly string[],
): Promise<void> {
  const rows: (readonly string[])[] = [];
  let count = 0;
  let more = false;
  for await (const item of items) {
    if (!all && count === limit) {
      more = true;
      break;
    }
    count += 1;
    if (out.json) out.item(item, () => "");
    else rows.push(row(item).map(visible));
  }
  if (rows.length > 0) await out.result(null, () => table(head, rows));
  if (count === 0 && !out.json) out.remark("There are none.");
  if (more) out.remark(`There are more: raise --limit ${limit}, or use --all.`);
}
