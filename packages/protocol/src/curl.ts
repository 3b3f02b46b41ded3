/** curl makes these itself. */
const MADE_BY_CURL: ReadonlySet<string> = new Set(["host", "content-length", "connection"]);

/** A command for a POSIX shell that sends the same request. Null as the body: what comes on standard input. */
export function curlCommand(request: {
  method: string;
  url: string;
  headers: readonly (readonly string[])[];
  body: string | null;
}): string {
  const { method, url, headers, body } = request;
  return [
    // -g: an address as ?ids[a]=1 or ?q={b,c} is one address, and no pattern.
    `curl -g -sS -i -X ${method} ${quoted(url)}`,
    ...headers
      .filter(([name = ""]) => !MADE_BY_CURL.has(name.toLowerCase()))
      .map(([name = "", value = ""]) => `-H ${quoted(`${name}: ${value}`)}`),
    // Raw: a text that starts with @ is no file's name.
    body === null ? "--data-binary @-" : `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
