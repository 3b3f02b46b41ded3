import { usageFailure } from "../program/failure.ts";

const OF_ENVELOPE = new Set(["event", "time", "nonce", "payload"]);

/**
 * Carries out one `--set path=value`. A path that does not begin with a member of the envelope is one of its payload.
 * Where a text stands, the value is text; elsewhere it is JSON, or text where it is not JSON.
 */
export function setMember(envelope: object, assignment: string): void {
  const at = assignment.indexOf("=");
  const path = assignment.slice(0, at).split(".");
  if (at < 1 || path.includes("")) {
    throw usageFailure(
      `--set ${assignment} is not path=value.`,
      "Write for example --set user.id=42.",
    );
  }
  const whole = OF_ENVELOPE.has(path[0] ?? "") ? path : ["payload", ...path];
  const last = whole.at(-1) ?? "";
  let holder = envelope as Record<string, unknown>; // An object's members are looked up by name here.
  for (const name of whole.slice(0, -1)) {
    const inner = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (typeof inner !== "object" || inner === null) {
      const known = Object.keys(holder).join(", ");
      throw usageFailure(`--set ${assignment}: there is no object ${name}.`, `There are ${known}.`);
    }
    holder = inner as Record<string, unknown>; // Any object is one.
  }
  const text = assignment.slice(at + 1);
  const before = Object.hasOwn(holder, last) ? holder[last] : undefined;
  const value = typeof before === "string" ? text : jsonOrText(text);
  // Not by assignment: __proto__ would become something else than a member.
  Object.defineProperty(holder, last, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
