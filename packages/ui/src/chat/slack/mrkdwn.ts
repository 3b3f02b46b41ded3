/** Parses Slack's marks; only for showing, and never as HTML. */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "link"; url: string; text: string }
  /** Unix seconds. */
  | { kind: "date"; time: number }
  | { kind: "bold" | "italic" | "strike"; children: Inline[] };

const STYLES = { "*": "bold", _: "italic", "~": "strike" } as const;

/** Fenced code, code, a date, a link, and text between two marks of a style, in this order. */
const PIECE =
  /```([^]+?)```|`([^`\n]+)`|<!date\^(\d+)\^[^>]*>|<(https?:[^|>]+)\|([^>]+)>|(?<![\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\6(?![\p{L}\p{N}])/gu;

/** Nobody nests deeper; a text of marks alone must not cost a stack. */
const DEEPEST = 8;

export function readMrkdwn(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  const plain = (to: number): void => {
    if (to > end) found.push({ kind: "text", text: decoded(text.slice(end, to)) });
  };
  for (const match of depth < DEEPEST ? text.matchAll(PIECE) : []) {
    const [all, fenced, code = fenced, time, url, label = "", mark, inner = ""] = match;
    plain(match.index);
    end = match.index + all.length;
    if (code !== undefined) found.push({ kind: "code", text: decoded(code) });
    else if (time !== undefined) found.push({ kind: "date", time: Number(time) });
    else if (url !== undefined) {
      found.push({ kind: "link", url: decoded(url), text: decoded(label) });
    } else if (mark === "*" || mark === "_" || mark === "~") {
      found.push({ kind: STYLES[mark], children: readMrkdwn(inner, depth + 1) });
    }
  }
  plain(text.length);
  return found;
}

export function decoded(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
