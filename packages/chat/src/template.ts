import type { EventName } from "@markethook/protocol";
import { type MessageFault, type MessageFaultCode, messageFault } from "./message-fault.ts";
import { placeholdersOf } from "./placeholders.ts";

/** Where a placeholder stands: in text, or in the address of a link that the owner wrote. */
export type Place = "text" | "address";

export type Piece =
  | { kind: "literal"; text: string }
  | { kind: "placeholder"; name: string; place: Place };

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * `{name}` is a placeholder, `{{` and `}}` are braces.
 *
 * @param placeOf where a placeholder stands, given the template before it; or a fault if none may stand there
 */
export function parseTemplate(
  event: EventName,
  template: string,
  placeOf: (before: string) => Place | { fault: MessageFaultCode } = () => "text",
): { pieces: Piece[] } | { fault: MessageFault } {
  const names = new Set(placeholdersOf(event).map((one) => one.name));
  const pieces: Piece[] = [];
  let literal = "";
  let end = 0;
  for (const match of template.matchAll(TOKEN)) {
    literal += template.slice(end, match.index);
    end = match.index + match[0].length;
    const name = match[1];
    if (name === undefined) {
      if (match[0].length === 1) return { fault: messageFault("lone_brace", match[0]) };
      literal += match[0].charAt(0);
      continue;
    }
    if (!names.has(name)) {
      return { fault: messageFault("unknown_placeholder", name.slice(0, 40)) };
    }
    const place = placeOf(template.slice(0, match.index));
    if (typeof place === "object") return { fault: messageFault(place.fault, name) };
    pieces.push({ kind: "literal", text: literal }, { kind: "placeholder", name, place });
    literal = "";
  }
  pieces.push({ kind: "literal", text: literal + template.slice(end) });
  return { pieces };
}

/**
 * A line whose placeholders are all empty is left out. Stops at a text longer than `enough`, of which no more is shown:
 * an owner can ask for a long value a hundred times, and each one costs.
 */
export function fillTemplate(
  pieces: readonly Piece[],
  enough: number,
  valueOf: (name: string, place: Place) => string,
): string {
  let done = "";
  let line = { text: "", placeholders: 0, filled: 0 };
  const endLine = (): void => {
    if (line.placeholders === 0 || line.filled > 0) done += `${line.text}\n`;
  };
  for (const piece of pieces) {
    if (piece.kind === "placeholder") {
      const value = valueOf(piece.name, piece.place);
      line.text += value;
      line.placeholders += 1;
      if (value !== "") line.filled += 1;
      if (line.filled > 0 && done.length + line.text.length > enough) {
        return (done + line.text).trimStart();
      }
      continue;
    }
    const [first = "", ...more] = piece.text.split("\n");
    line.text += first;
    for (const next of more) {
      endLine();
      line = { text: next, placeholders: 0, filled: 0 };
    }
  }
  endLine();
  return done.trim();
}
