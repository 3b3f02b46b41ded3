import { instant } from "@markethook/protocol";

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

type NameOfTime = `${string}${"At" | "Since" | "Until"}`;
type WithInstants<T> = {
  [K in keyof T]: K extends NameOfTime
    ? Exclude<T[K], number> | (number extends T[K] ? string : never)
    : T[K];
};

/**
 * A stored row as answers give it: with its times as texts. Members that the answer's schema does not name are left out
 * when it is written.
 */
export function withInstants<T extends object>(row: T): WithInstants<T> {
  const shown = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "number" && /(?:At|Since|Until)$/.test(name) ? instant(value) : value,
  ]);
  // The same members, of the types named above.
  return Object.fromEntries(shown) as WithInstants<T>;
}

/** A range of Unix seconds in milliseconds. */
export function millisecondsOf({ from, to }: { from?: number; to?: number }) {
  return {
    from: from === undefined ? undefined : from * 1000,
    to: to === undefined ? undefined : to * 1000,
  };
}
