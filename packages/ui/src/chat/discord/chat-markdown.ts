/** Parses the parts of Markdown that Discord reads; only for showing, and never as HTML. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "mention"; text: string }
  | { kind: "link"; url: string; children: Inline[] }
  | { kind: Style; children: Inline[] };

type Style = "bold" | "italic" | "underline" | "strike" | "spoiler";

export type Block =
  | { kind: "line" | "quote" | "item" | "small"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "code"; text: string };

/** Longer ones first, because they begin alike. */
const STYLES: readonly (readonly [mark: string, style: Style])[] = [
  ["**", "bold"],
  ["__", "underline"],
  ["~~", "strike"],
  ["||", "spoiler"],
  ["*", "italic"],
  ["_", "italic"],
];

/** Nobody nests deeper; a text of marks alone must not cost a stack. */
const DEEPEST = 8;

const LINE_KINDS: readonly (readonly [RegExp, "quote" | "item" | "small"])[] = [
  [/^>\s/, "quote"],
  [/^\s*[-*]\s/, "item"],
  [/^-#\s/, "small"],
];

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  // Every second part stood between fences; an open one is none.
  const parts = text.split(/```(?:[a-z0-9+-]*\n)?([\s\S]+?)```/);
  parts.forEach((part, index) => {
    if (index % 2 === 1) blocks.push({ kind: "code", text: part.replace(/\n$/, "") });
    else if (part !== "") for (const line of part.split("\n")) blocks.push(readLine(line));
  });
  return blocks;
}

function readLine(line: string): Block {
  const heading = /^(#{1,3})\s+/.exec(line);
  if (heading !== null) {
    const [all, marks = ""] = heading;
    return { kind: "heading", level: marks.length, children: readInline(line.slice(all.length)) };
  }
  for (const [pattern, kind] of LINE_KINDS) {
    if (pattern.test(line)) return { kind, children: readInline(line.replace(pattern, "")) };
  }
  return { kind: "line", children: readInline(line) };
}

/** Of a line, or of a place such as a title that has no blocks. */
export function readInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let plain = "";
  let at = 0;
  const flush = (): void => {
    if (plain !== "") found.push({ kind: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    if (text[at] === "\\" && /[^\p{L}\p{N}\s]/u.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    const piece = depth < DEEPEST ? readPiece(text, at, depth) : null;
    if (piece === null) {
      plain += text[at];
      at += 1;
    } else {
      flush();
      found.push(piece.node);
      at = piece.end;
    }
  }
  flush();
  return found;
}

interface Piece {
  node: Inline;
  end: number;
}

/** Pieces in which nothing else stands. */
const PLAIN_PIECES: readonly (readonly [RegExp, (found: string, inner: string) => Inline])[] = [
  [/`([^`]+)`/y, (_, text) => ({ kind: "code", text })],
  [/<@&\d{17,20}>/y, () => ({ kind: "mention", text: "@role" })],
  [
    /https?:\/\/[^\s<>]+[^\s<>.,:;"'\])]/y,
    (url) => ({ kind: "link", url, children: [{ kind: "text", text: url }] }),
  ],
];

function readPiece(text: string, at: number, depth: number): Piece | null {
  for (const [pattern, nodeOf] of PLAIN_PIECES) {
    pattern.lastIndex = at;
    const [found, inner = ""] = pattern.exec(text) ?? [];
    if (found !== undefined) return { node: nodeOf(found, inner), end: at + found.length };
  }
  return text[at] === "[" ? readMaskedLink(text, at, depth) : readStyle(text, at, depth);
}

function readMaskedLink(text: string, at: number, depth: number): Piece | null {
  const middle = closing(text, at + 1, "](");
  if (middle === -1) return null;
  const address = /^(https?:\/\/[^\s()<>]+)\)/.exec(text.slice(middle + 2));
  if (address === null) return null;
  const [all, url = ""] = address;
  const children = readInline(text.slice(at + 1, middle), depth + 1);
  return { node: { kind: "link", url, children }, end: middle + 2 + all.length };
}

function readStyle(text: string, at: number, depth: number): Piece | null {
  for (const [mark, style] of STYLES) {
    if (!text.startsWith(mark, at)) continue;
    const from = at + mark.length;
    const end = closing(text, from, mark);
    if (end === -1 || (mark.length === 1 && !standsAlone(text, from, end, mark))) continue;
    const children = readInline(text.slice(from, end), depth + 1);
    return { node: { kind: style, children }, end: end + mark.length };
  }
  return null;
}

/** Where the mark stands next, unescaped and with something before it; -1: nowhere. */
function closing(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (at > from && text.startsWith(mark, at)) return at;
  }
  return -1;
}

/** `2 * 3 * 4` and `snake_case_name` are no italics. */
function standsAlone(text: string, from: number, end: number, mark: string): boolean {
  if (/\s/.test(text[from] ?? "") || /\s/.test(text[end - 1] ?? "")) return false;
  if (mark === "*") return true;
  return !/[\p{L}\p{N}]/u.test(text[end + 1] ?? "") && !/[\p{L}\p{N}]/u.test(text[from - 2] ?? "");
}
