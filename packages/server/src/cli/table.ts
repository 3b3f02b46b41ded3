import Table from "cli-table3";

/** A table without lines, for reading and for `awk`. Cells pass `visible()` before they get here. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = new Table({
    head: [...head],
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
  });
  lines.push(...rows.map((row) => [...row]));
  return lines
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
} as const;
