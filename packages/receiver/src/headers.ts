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
  /** How often. */
  came(name: string): number;
  /** The value if the header came exactly once. */
  one(name: string): string | undefined;
  /** Lower-case names of all that were read. */
  names(): string[];
}

/**
 * Reads headers whose names begin with `X-` or `webhook-`; no others matter. Never throws: an entry that is not a name
 * with text is left out, which can only make a request fail.
 */
export function readHeaders(headers: ReceivedHeaders): HeaderReader {
  const values = new Map<string, string | string[]>();
  const add = (name: unknown, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value as unknown[]) add(name, one);
    if (typeof name !== "string" || typeof value !== "string") return;
    const key = lowerCase(name);
    if (!key.startsWith("x-") && !key.startsWith("webhook-")) return;
    const known = values.get(key);
    const text = withoutBlanks(value);
    if (known === undefined) values.set(key, text);
    else if (typeof known === "string") values.set(key, [known, text]);
    else known.push(text);
  };
  // Callers in plain JavaScript pass anything.
  const given: unknown = headers;
  if (isIterable(given)) {
    for (const entry of given) {
      // Array.isArray gives any[]; unknown keeps the checks above honest.
      if (Array.isArray(entry)) add(...(entry as [unknown, unknown]));
    }
  } else if (typeof given === "object" && given !== null) {
    // By its own names: Object.entries would make an array for each of them.
    const record = given as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(record)) add(name, record[name]);
  }
  const find = (name: string) => values.get(lowerCase(name));
  return {
    all(name) {
      const found = find(name) ?? [];
      return typeof found === "string" ? [found] : found;
    },
    came(name) {
      const found = find(name);
      if (found === undefined) return 0;
      return typeof found === "string" ? 1 : found.length;
    },
    one(name) {
      const found = find(name);
      return typeof found === "string" ? found : undefined;
    },
    names: () => [...values.keys()],
  };
}

/** The same names come and are asked for again and again. */
const lowerCased = new Map<string, string>();

function lowerCase(name: string): string {
  let lower = lowerCased.get(name);
  if (lower === undefined) {
    lower = name.toLowerCase();
    // A forger can send any number of other names.
    if (lowerCased.size < 100) lowerCased.set(name, lower);
  }
  return lower;
}

/**
 * Blanks around a value are not part of it (RFC 9110, 5.5), though some hosts pass them on. A pattern would try each
 * blank inside as the beginning of the last ones.
 */
function withoutBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start += 1;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.iterator in value &&
    typeof value[Symbol.iterator] === "function"
  );
}
