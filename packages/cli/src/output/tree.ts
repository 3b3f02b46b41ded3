/** A line, or several, with what belongs to it. */
export interface Branch {
  text: string;
  branches?: readonly Branch[];
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
