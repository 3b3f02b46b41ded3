import type { Attempt } from "@markethook/client";

type SentRequest = NonNullable<Attempt["request"]>;

/** curl makes these itself. */
const OWN: ReadonlySet<string> = new Set(["host", "content-length", "connection"]);

/** A command that sends the same request, with the signature as it was sent. `url`: where to, if more is known than is shown. */
export function curlText({ method, url, headers, body }: SentRequest, whole?: string): string {
  const lines = [
    `curl -X ${method} ${quoted(whole ?? url)}`,
    ...headers
      .filter(([name = ""]) => !OWN.has(name.toLowerCase()))
      .map(([name = "", value = ""]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(" \\\n  ");
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
