import { type ErrorCode, errorEntry } from "@markethook/protocol";
import type { Static } from "typebox";
import { withAdvice } from "../request/problem.ts";
import type { CopyResult } from "../schemas/webhook.ts";
import { isRejection, type Rejection } from "./event-input.ts";

/** One result per item of a batch, in order. A rejected item gets its rejection, any other the next of the store's results. */
export function mergeResults<Stored, Result>(
  items: readonly object[],
  stored: readonly Stored[],
  rejected: (rejection: Rejection, position: number) => Result,
  accepted: (result: Stored, position: number) => Result,
): Result[] {
  const rest = stored.values();
  return items.map((item, position) => {
    if (isRejection(item)) return rejected(item, position);
    const { value: result, done } = rest.next();
    if (done === true) throw new Error("the store answered fewer items than it was given");
    return accepted(result, position);
  });
}

export function rejectedItem(list: string, rejection: Rejection, position: number) {
  const { code, detail, pointer = "" } = rejection;
  return {
    status: "rejected",
    code,
    title: errorEntry(code).title,
    detail: withAdvice(code, detail),
    pointer: `/${list}/${position}${pointer}`,
  };
}

export function rejectedCopy(resourceId: string, code: ErrorCode): Static<typeof CopyResult> {
  const { title, advice } = errorEntry(code);
  return { resourceId, status: "rejected", code, title, detail: advice };
}
