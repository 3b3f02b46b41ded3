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

/** Indented, if it is JSON; null otherwise. */
export function readableJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}

/** curl makes these itself. */
const MADE_BY_CURL: ReadonlySet<string> = new Set(["host", "content-length", "connection"]);

/** A command that sends the same request, with the signature as it was sent. `url`: where to, if more is known than is shown. */
export function curlText({ method, url, headers, body }: SentRequest, whole?: string): string {
  const lines = [
    `curl -X ${method} ${quoted(whole ?? url)}`,
    ...headers
      .filter(([name = ""]) => !MADE_BY_CURL.has(name.toLowerCase()))
      .map(([name = "", value = ""]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(" \\\n  ");
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
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
