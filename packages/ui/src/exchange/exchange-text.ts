import type { Attempt } from "@markethook/client";

type SentRequest = NonNullable<Attempt["request"]>;

export function headersText(headers: readonly (readonly string[])[]): string {
  return headers.map(([name = "", value = ""]) => `${name}: ${value}`).join("\n");
}

/** Method, URL and headers, in wire order. */
export function requestText({ method, url, headers }: SentRequest): string {
  return `${method} ${url}\n${headersText(headers)}`;
}

const MOST_WORDS = 120;

/** The beginning of a reply's text, on one line; null where it has none that a person would read, such as a page. */
export function replyWords({ response }: Pick<Attempt, "response">): string | null {
  const line = (response?.body ?? "").slice(0, 1000).trim().replaceAll(/\s+/g, " ");
  if (line === "" || line.startsWith("<")) return null;
  const characters = [...line];
  return characters.length <= MOST_WORDS ? line : `${characters.slice(0, MOST_WORDS).join("")}…`;
}

/** Of JSON, all but numbers and names such as `true`. */
const JSON_PARTS = /"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[{}\],:]|\s+/g;
/** Nobody reads what is nested deeper, and its indentation would be many times the text. */
const DEEPEST = 50;

/**
 * Indented, if it is JSON; null otherwise. Numbers stay as they are written: read and written again, long ones would end with
 * other digits.
 */
export function readableJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
  } catch {
    return null;
  }
  let depth = 0;
  let deepest = 0;
  const line = (change: number): string => {
    depth += change;
    deepest = Math.max(deepest, depth);
    return `\n${"  ".repeat(Math.min(depth, DEEPEST))}`;
  };
  const readable = text.replaceAll(JSON_PARTS, (part) => {
    if (part.startsWith('"')) return JSON.stringify(JSON.parse(part));
    if (part.trim() === "") return "";
    if (part === ":") return ": ";
    if (part === ",") return `,${line(0)}`;
    if (part.length > 1) return part.replaceAll(/\s/g, "");
    return part === "{" || part === "[" ? `${part}${line(1)}` : `${line(-1)}${part}`;
  });
  return deepest > DEEPEST ? null : readable;
}

/** Headers as somebody pastes them: a line each, `Name: value`. The request line and blank lines are left out. */
export function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*["']?([A-Za-z0-9-]+)["']?\s*:\s*["']?(.*?)["']?,?\s*$/.exec(line);
    if (match?.[1] === undefined) continue;
    headers[match[1]] = match[2] ?? "";
  }
  return headers;
}
