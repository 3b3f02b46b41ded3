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

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "1.4 GiB". */
export function byteSize(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? oneDecimal(value) : whole(value)} ${BYTE_UNITS[power]}`;
}

/** "3 d 4 h", "12 min", "8 s": the two largest units at most. */
export function shortDuration(seconds: number): string {
  const left = Math.max(0, Math.round(seconds));
  if (left < 60) return `${left} s`;
  if (left < 3600) return `${Math.floor(left / 60)} min`;
  const hours = Math.floor(left / 3600);
  if (hours < 24) return `${hours} h ${Math.floor((left % 3600) / 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
