import type { RenderedRequest } from "@markethook/protocol";
import type { AttemptOutcome } from "../deliver/classify.ts";
import type { SendResult } from "../send/send-result.ts";

/** One request that was made, or would have been, and its result. */
export interface PingExchange {
  /** The request in the form that may be shown. */
  request: RenderedRequest;
  result: SendResult;
  outcome: AttemptOutcome;
  /** JSON text of `AttemptDetail`. */
  detail: string;
}
