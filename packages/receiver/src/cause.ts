import type { SEARCHED_CAUSES } from "./searched-causes.ts";

/** Why a request was refused, where that shows without a search. */
export const SHOWN_CAUSES = {
  clock: "The signature fits, but its time is too far from this machine's. Set the clock.",
  timestamp_in_milliseconds: "webhook-timestamp looks like milliseconds. It is Unix seconds.",
  standard_headers_missing:
    "X-{Service}-Signature fits, but webhook-signature did not come: a proxy or somebody else took it away, or the sender has none. Set `require` to `service` only for a sender or an imported secret that has none.",
  standard_headers_changed:
    "X-{Service}-Signature fits, so the body is right, but webhook-id or webhook-timestamp is not what was signed: something changed it, or somebody replays the request.",
  secret_not_base64:
    "A given secret is not base64, so it cannot fit webhook-signature. Set `require` to `service` where it was imported.",
} as const;

type ShownCause = keyof typeof SHOWN_CAUSES;
export type CauseCode = ShownCause | keyof typeof SEARCHED_CAUSES;

/** Why a signature failed, as far as can be told. */
export interface Cause {
  code: CauseCode;
  sentence: string;
}

/** `detail` names what exactly was found; it holds neither secrets nor payload. */
export function cause(code: ShownCause, detail?: string): Cause {
  const sentence = SHOWN_CAUSES[code];
  return { code, sentence: detail === undefined ? sentence : `${sentence} ${detail}` };
}
