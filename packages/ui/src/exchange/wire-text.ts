import type { Attempt } from "@markethook/client";

type SentRequest = NonNullable<Attempt["request"]>;

export function headersText(headers: readonly (readonly string[])[]): string {
  return headers.map(([name = "", value = ""]) => `${name}: ${value}`).join("\n");
}

/** Method, URL and headers, in wire order. */
export function requestText({ method, url, headers }: SentRequest): string {
  return `${method} ${url}\n${headersText(headers)}`;
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
