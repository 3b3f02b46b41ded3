import { errorEntry, given, MarkethookError, type ErrorCode } from "@markethook/protocol";
import type { AcceptItem, AcceptResult } from "@markethook/store";
import type { Static } from "typebox";
import {
  isRejection,
  isTooLarge,
  toAcceptItem,
  type EventInput,
  type ItemContext,
  type Rejection,
} from "./event-input.ts";
import { EventItem, type EventResult } from "../schemas/event.ts";
import { findTextFault } from "../request/text-fault.ts";
import { withAdvice } from "../request/problem.ts";
import { createItemValidator } from "../request/validation.ts";

export type ItemResult = Static<typeof EventResult>;

const validator = createItemValidator(EventItem);

export interface BatchParts {
  /** Items for the store, in order. */
  items: AcceptItem[];
  /** The index of each of these in the batch. */
  positions: number[];
  /** Results by index in the batch; only the rejected ones are filled in. */
  results: (ItemResult | undefined)[];
}

/** Checks a batch's items one by one: a bad one does not affect the others. */
export function sortBatch(
  events: readonly unknown[],
  suspicious: boolean,
  context: ItemContext,
): BatchParts {
  const parts: BatchParts = {
    items: [],
    positions: [],
    results: Array.from({ length: events.length }),
  };
  for (let i = 0; i < events.length; i += 1) {
    const checked = checkItem(events[i], suspicious, context);
    if (isRejection(checked)) {
      parts.results[i] = rejectedResult(checked, i);
    } else {
      parts.items.push(checked);
      parts.positions.push(i);
    }
  }
  return parts;
}

export interface BatchCounts {
  accepted: number;
  duplicates: number;
  rejected: number;
  deliveries: number;
}

/** Inserts the store's results between the rejected ones. */
export function mergeResults(
  parts: BatchParts,
  stored: readonly AcceptResult[],
): { results: ItemResult[]; counts: BatchCounts } {
  const counts: BatchCounts = { accepted: 0, duplicates: 0, rejected: 0, deliveries: 0 };
  for (let i = 0; i < parts.positions.length; i += 1) {
    const position = parts.positions[i];
    const result = stored[i];
    if (position === undefined || result === undefined) {
      throw new Error("the store answered fewer items than it was given");
    }
    parts.results[position] = storedResult(result, position);
  }
  const results: ItemResult[] = [];
  for (const result of parts.results) {
    if (result === undefined) throw new Error("an item of a batch has no result");
    results.push(result);
    if (result.status === "accepted") counts.accepted += 1;
    else if (result.status === "duplicate") counts.duplicates += 1;
    else counts.rejected += 1;
    counts.deliveries += result.deliveries ?? 0;
  }
  return { results, counts };
}

export function throwRejection(rejection: Rejection): never {
  const { code, detail, pointer } = rejection;
  throw new MarkethookError(code, given({ detail, pointer }));
}

/** The pointer, within the event, to the member that the store refused. */
export function refusalPointer(code: ErrorCode): string | undefined {
  if (code === "resource_unknown") return "/resourceId";
  if (code === "previous_unknown") return "/previous";
  if (code === "update_id_reused") return "/update/id";
  return code === "idempotency_key_reused" ? "/idempotencyKey" : undefined;
}

function checkItem(
  event: unknown,
  suspicious: boolean,
  context: ItemContext,
): AcceptItem | Rejection {
  if (suspicious) {
    const fault = findTextFault(event);
    if (fault !== null) return fault;
  }
  if (!validator.check(event)) {
    if (isTooLarge(event)) return { code: "event_too_large" };
    return validator.problems(event)[0] ?? { code: "field_invalid" };
  }
  // The validator has just confirmed it.
  const input = event as EventInput & { resourceId: string };
  return toAcceptItem(input.resourceId, input, input.idempotencyKey, context);
}

function storedResult(result: AcceptResult, position: number): ItemResult {
  if (result.kind === "accepted") {
    return { status: "accepted", eventId: result.eventId, deliveries: result.deliveries };
  }
  if (result.kind === "duplicate") return { status: "duplicate", eventId: result.eventId };
  const pointer = refusalPointer(result.code);
  return rejectedResult(pointer === undefined ? result : { ...result, pointer }, position);
}

function rejectedResult(rejection: Rejection, position: number): ItemResult {
  const entry = errorEntry(rejection.code);
  return {
    status: "rejected",
    code: rejection.code,
    title: entry.title,
    detail: withAdvice(rejection.code, rejection.detail),
    pointer: `/events/${position}${rejection.pointer ?? ""}`,
  };
}
