import { errorEntry, type ErrorCode } from "@markethook/protocol/errors";
import type { components } from "./generated/api.ts";

/** The result of one event. `index` counts the input from 0. */
export type ItemResult = EventOfInput &
  (
    | { status: "accepted"; eventId: string; deliveries: number }
    | { status: "duplicate"; eventId: string }
    /** Not stored, and will not be as it is. `pointer` is into the event. */
    | { status: "rejected"; code: string; title: string; detail: string; pointer: string | null }
    /** Not known to be stored: report it again, with the same key. */
    | { status: "failed"; sent: boolean; error: Error }
  );

/** The key is null where there is nothing that could have one. */
export interface EventOfInput {
  index: number;
  idempotencyKey: string | null;
}

export interface Tally {
  done: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  failed: number;
}

/** Flat in the API, because that is faster to write. */
type FlatResult = components["schemas"]["EventResult"];

export function createTally(): Tally {
  return { done: 0, accepted: 0, duplicates: 0, rejected: 0, failed: 0 };
}

export function count(tally: Tally, { status }: ItemResult): void {
  tally.done += 1;
  if (status === "duplicate") tally.duplicates += 1;
  else tally[status] += 1;
}

export function readResult(event: EventOfInput, result: FlatResult | undefined): ItemResult {
  if (result === undefined) {
    return failure(event, new Error("The answer has fewer results than there were events."), true);
  }
  const { status, eventId = "", deliveries = 0, code = "", title = "", detail = "" } = result;
  if (status === "accepted") return { ...event, status, eventId, deliveries };
  if (status === "duplicate") return { ...event, status, eventId };
  const pointer = result.pointer?.replace(/^\/events\/\d+/, "") ?? "";
  return { ...event, status, code, title, detail, pointer: pointer === "" ? null : pointer };
}

export function failure(event: EventOfInput, error: Error, sent: boolean): ItemResult {
  return { ...event, status: "failed", sent, error };
}

/** Refused here already, as the service would. */
export function refusal(event: EventOfInput, code: ErrorCode): ItemResult {
  const { title, advice } = errorEntry(code);
  return { ...event, status: "rejected", code, title, detail: advice, pointer: null };
}
