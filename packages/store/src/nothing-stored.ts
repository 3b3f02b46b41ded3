import { isMarkethookError, MarkethookError } from "@markethook/protocol";

/** Marks an error after which the transaction is certainly not committed. */
export function withNothingStored(error: unknown): unknown {
  const isOfDatabase =
    isMarkethookError(error, "storage_full") || isMarkethookError(error, "store_unavailable");
  if (!isOfDatabase) return error;
  return new MarkethookError(error.code, { ...error.detail, nothingStored: true });
}

/** Removes the mark, because an earlier transaction of the same request was committed. */
export function withSomethingStored(error: unknown): unknown {
  if (!isMarkethookError(error) || error.detail.nothingStored === undefined) return error;
  const { nothingStored: _, ...detail } = error.detail;
  return new MarkethookError(error.code, detail);
}
