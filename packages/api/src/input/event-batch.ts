import { given, MarkethookError, type ErrorCode } from "@markethook/protocol";
import type { AcceptItem, AcceptResult } from "@markethook/store";
import type { Static } from "typebox";
import { rejectedItem } from "./batch-results.ts";
import {
  isTooLarge,
  toAcceptItem,
  type EventInput,
  type ItemContext,
  type Rejection,
} from "./event-input.ts";
import { EventItem, type EventResult } from "../schemas/event.ts";
import { findTextFault } from "../request/text-fault.ts";
import { createItemCheck } from "../request/validation.ts";

type ItemResult = Static<typeof EventResult>;

const faultOf = createItemCheck(EventItem);

/** Checks an item of a batch by itself: a bad one does not affect the others. */
export function checkItem(
  event: unknown,
  suspicious: boolean,
  context: ItemContext,
): AcceptItem | Rejection {
  const textFault = suspicious ? findTextFault(event) : null;
  if (textFault !== null) return textFault;
  const fault = faultOf(event);
  if (fault !== null) return isTooLarge(event) ? { code: "event_too_large" } : fault;
  // The check has just confirmed it.
  const input = event as EventInput & { resourceId: string };
  return toAcceptItem(input.resourceId, input, input.idempotencyKey, context);
}

export function countResults(results: readonly ItemResult[]) {
  const counts = { accepted: 0, duplicates: 0, rejected: 0, deliveries: 0 };
  for (const { status, deliveries = 0 } of results) {
    if (status === "accepted") counts.accepted += 1;
    else if (status === "duplicate") counts.duplicates += 1;
    else counts.rejected += 1;
    counts.deliveries += deliveries;
  }
  return counts;
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

export function storedResult(result: AcceptResult, position: number): ItemResult {
  if (result.kind === "accepted") {
    return { status: "accepted", eventId: result.eventId, deliveries: result.deliveries };
  }
  if (result.kind === "duplicate") return { status: "duplicate", eventId: result.eventId };
  const pointer = refusalPointer(result.code);
  return rejectedResult(pointer === undefined ? result : { ...result, pointer }, position);
}

export function rejectedResult(rejection: Rejection, position: number): ItemResult {
  return rejectedItem("events", rejection, position);
}
