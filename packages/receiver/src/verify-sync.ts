import { diagnose } from "./diagnose.ts";
import { viewOf } from "./bytes.ts";
import type { ReceivedHeaders } from "./headers.ts";
import { mac, macs } from "./mac-node.ts";
import { runNow } from "./mac.ts";
import { orThrow, type Verified, type VerifyResult } from "./result.ts";
import { begin, refused, settle, type VerifyOptions } from "./verify-steps.ts";

export interface NodeVerifyOptions extends VerifyOptions {
  /** Look for likely causes when a signature does not fit. Default true; costs about ten times the verifying. */
  explain?: boolean;
}

/** As the main entry's `verify`, but at once, and with the likely causes of a refusal. Never throws. */
export function verify(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: NodeVerifyOptions = {},
): VerifyResult {
  const begun = begin(viewOf(body), headers, secrets, options);
  if ("ok" in begun) return begun;
  const settled = settle(begun, macs(begun.macs));
  if ("ok" in settled) return settled;
  const causes = options.explain === false ? [] : runNow(diagnose(settled.suspect), mac);
  return refused(settled, causes);
}

/**
 * As `verify`, but throws a `MarkethookError` whose `code` is the failure's, and whose `detail.detail` says what is
 * wrong together with the likeliest cause.
 */
export function verifyOrThrow(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options?: NodeVerifyOptions,
): Verified {
  return orThrow(verify(body, headers, secrets, options));
}
