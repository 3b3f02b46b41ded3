import { MarkethookError } from "./error.ts";
import { RECEIVER_ERRORS } from "@markethook/protocol/receiver-errors";
import type { Verified, VerifyResult } from "./result.ts";

/** Throws where the request was refused. */
export function orThrow(result: VerifyResult): Verified {
  if (result.ok) return result;
  const [likeliest] = result.causes;
  const { title } = RECEIVER_ERRORS[result.code];
  throw new MarkethookError(result.code, {
    detail: likeliest ? `${title} ${likeliest.sentence}` : result.sentence,
    ...(result.pointer === undefined ? {} : { pointer: result.pointer }),
    cause: result,
  });
}
