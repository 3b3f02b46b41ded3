import type { ChatResponse } from "./chat-answer.ts";

/** No answer makes a webhook wait for longer. */
const LONGEST_WAIT_MS = 3_600_000;
/** Where an answer that asks for a pause names no time. */
export const UNNAMED_WAIT_MS = 5_000;

/** Returns a look-up by lower-case names. */
export function headersOf({ headers }: Pick<ChatResponse, "headers">) {
  return (name: string): string | null =>
    headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null;
}

/** A number of 0 or more, also as text. With too many digits it is infinite. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "string" && !/^\d+(\.\d+)?$/.test(value.trim())) return null;
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return number >= 0 ? number : null;
}

/** A pause that an answer asks for, in milliseconds. */
export function waitMs(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), LONGEST_WAIT_MS);
}
