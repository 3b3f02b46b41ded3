/** A line or several, with the branches below it. */
export interface Branch {
  text: string;
  branches?: readonly Branch[];
}

/** A branch for each fact, with the names in a column of this width. Facts that are null are left out. */
export function facts(width: number, named: Readonly<Record<string, string | null>>): Branch[] {
  return Object.entries(named).flatMap(([name, text]) =>
    text === null ? [] : [{ text: name.padEnd(width) + text }],
  );
}

/** Text passes `visible()` or `visibleLines()` before it gets here. */
export function treeText(root: Branch): string {
  return [root.text, ...(root.branches ?? []).flatMap(linesOf)].join("\n");
}

function linesOf(branch: Branch, index: number, all: readonly Branch[]): string[] {
  const last = index === all.length - 1;
  const [first = "", ...rest] = [
    ...branch.text.split("\n"),
    ...(branch.branches ?? []).flatMap(linesOf),
  ];
  const indent = last ? "   " : "│  ";
  return [`${last ? "└─" : "├─"} ${first}`, ...rest.map((line) => (indent + line).trimEnd())];
}
