import type { Output } from "./output.ts";
import { visible, visibleLines } from "./visible-text.ts";

/** A body for the eye: JSON on lines of its own, other text as it is, bytes by their number. Never for verifying. */
export function prettyBody(body: Uint8Array, most = Infinity): string {
  if (body.length === 0) return "(no body)";
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return `(${body.length} bytes that are not UTF-8)`;
  }
  return cut(visibleLines(printed(text)), most);
}

/** Of a request or an answer. */
export function headerLine([name = "", value = ""]: readonly string[], out: Output): string {
  return `${out.style("dim", `${visible(name)}:`)} ${visible(value)}`;
}

export function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function printed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}
