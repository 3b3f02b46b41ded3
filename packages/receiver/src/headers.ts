/**
 * Headers as hosts hand them over: a `Headers`, a list of pairs, or Node's `IncomingHttpHeaders`
 * (better: `headersDistinct`, which keeps repeated headers apart).
 */
export type ReceivedHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HeaderReader {
  /** Values in order of arrival; empty when absent. The name may have any case. */
  all(name: string): readonly string[];
  /** The value if the header came exactly once. */
  one(name: string): string | undefined;
  /** Lower-case names of everything that came. */
  names(): string[];
}

/** Never throws: whatever is not a name with text is left out, which can only make a request fail. */
export function readHeaders(headers: ReceivedHeaders): HeaderReader {
  const values = new Map<string, string[]>();
  for (const [name, value] of entriesOf(headers)) {
    const key = name.toLowerCase();
    const known = values.get(key);
    // Blanks around a value are not part of it (RFC 9110, 5.5), though some hosts pass them on.
    const text = value.replace(/^[ \t]+|[ \t]+$/g, "");
    if (known) known.push(text);
    else values.set(key, [text]);
  }
  const all = (name: string): readonly string[] => values.get(name.toLowerCase()) ?? [];
  return {
    all,
    one: (name) => (all(name).length === 1 ? all(name)[0] : undefined),
    names: () => [...values.keys()],
  };
}

function* entriesOf(headers: unknown): Generator<[string, string]> {
  if (typeof headers !== "object" || headers === null) return;
  const entries: Iterable<unknown> = isIterable(headers) ? headers : Object.entries(headers);
  for (const entry of entries) {
    if (!Array.isArray(entry)) continue;
    // Array.isArray gives any[]; unknown keeps the checks below honest.
    const [name, value] = entry as unknown[];
    if (typeof name !== "string") continue;
    for (const text of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof text === "string") yield [name, text];
    }
  }
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === "function";
}
