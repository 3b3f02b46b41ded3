import { type EventName, isEventName, UPDATE_ALIAS } from "@markethook/protocol/event-names";
import { isObject } from "@markethook/protocol/json-object";
import { checkShape, PAYLOAD_SHAPES } from "@markethook/protocol/payload-shapes";

import type { EventEnvelope, UnknownEnvelope } from "./result.ts";

export type ParsedEvent =
  | { kind: "event"; event: EventEnvelope }
  | { kind: "unknown"; name: string; envelope: UnknownEnvelope }
  | {
      kind: "invalid";
      code: "envelope_invalid" | "payload_invalid";
      pointer: string;
      expected: string;
    };

/** To be called with verified bytes only. Members that the specification does not name are kept. */
export function parseEvent(body: Uint8Array): ParsedEvent {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    return { kind: "invalid", code: "envelope_invalid", pointer: "", expected: "JSON in UTF-8" };
  }
  const envelope = readEnvelope(value);
  if ("expected" in envelope) return { kind: "invalid", code: "envelope_invalid", ...envelope };

  const name = envelope.event === UPDATE_ALIAS ? "product.update" : envelope.event;
  if (!isEventName(name)) return { kind: "unknown", name, envelope };
  const problem = checkShape(PAYLOAD_SHAPES[name], envelope.payload, "/payload");
  if (problem) return { kind: "invalid", code: "payload_invalid", ...problem };
  return { kind: "event", event: typed(envelope, name) };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws SyntaxError, TypeError for bytes that are not UTF-8, or RangeError for absurd nesting. */
function parseJson(body: Uint8Array): unknown {
  const text = decoder.decode(body);
  // A member called __proto__ is harmless here but changes the prototype of whatever a handler copies it into.
  // The slower way is taken only where the text could spell that name.
  if (!text.includes("__proto__") && !text.includes("\\u00")) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value));
}

function readEnvelope(value: unknown): UnknownEnvelope | { pointer: string; expected: string } {
  if (!isObject(value)) return { pointer: "", expected: "an object" };
  const { event, time, nonce, payload } = value;
  if (typeof event !== "string") return { pointer: "/event", expected: "a string" };
  if (typeof time !== "number" || !Number.isSafeInteger(time)) {
    return { pointer: "/time", expected: "an integer" };
  }
  // Its form is not insisted on: the signature is right, and nothing depends on the nonce's length.
  if (typeof nonce !== "string") return { pointer: "/nonce", expected: "a string" };
  if (!isObject(payload)) return { pointer: "/payload", expected: "an object" };
  // Just looked at, member by member.
  return value as unknown as UnknownEnvelope;
}

function typed(envelope: UnknownEnvelope, name: EventName): EventEnvelope {
  // checkShape has just compared the payload with the schema of exactly this event.
  if (name !== envelope.event) envelope.event = name;
  return envelope as unknown as EventEnvelope;
}
