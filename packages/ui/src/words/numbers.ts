import { listFormat, numberFormat, pluralRules } from "./formatters.ts";

/** "4,800", as the page's language writes it. */
export function whole(value: number): string {
  return numberFormat({ maximumFractionDigits: 0 }).format(value);
}

/** "1.4" */
export function oneDecimal(value: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return numberFormat(digits).format(value);
}

/** "84 ms", "1.2 s". Symbols of units are the same in all languages. */
export function milliseconds(ms: number): string {
  return ms < 1000 ? `${whole(ms)} ms` : `${oneDecimal(ms / 1000)} s`;
}

/** "5 days", "1.5 hours": in the largest unit that it fills. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? (["second", 1000] as const);
  const style = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 } as const;
  return numberFormat(style).format(ms / size);
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "a, b, c" */
export function list(items: readonly string[]): string {
  return listFormat({ type: "unit", style: "short" }).format(items);
}

/** "a, b or c" */
export function oneOf(items: readonly string[]): string {
  return listFormat({ type: "disjunction" }).format(items);
}

/** `one` where the language counts as for one thing, `other` where it counts as for several. */
export function plural(count: number, one: string, other: string): string {
  return pluralRules({}).select(count) === "one" ? one : other;
}
