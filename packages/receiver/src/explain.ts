import { mac, macs } from "#mac";

import { diagnose } from "./diagnose.ts";
import { copyOf } from "./bytes.ts";
import type { ReceivedHeaders } from "./headers.ts";
import { runAwaiting } from "./mac.ts";
import { orThrow, type Verified, type VerifyResult } from "./result.ts";
import { begin, refused, settle, type VerifyOptions } from "./verify-steps.ts";

export { CAUSE_CODES } from "./diagnose.ts";

/**
 * As the main entry's `verify`, but where a signature does not fit it looks for the reason, too: which usual fault of
 * body, secret or header it would fit without. That takes about ten times as long, and a bundle 3 kB more.
 */
export async function verify(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<VerifyResult> {
  const begun = begin(copyOf(body), headers, secrets, options);
  if ("ok" in begun) return begun;
  // oxlint-disable-next-line typescript/await-thenable -- only the file that Node resolves #mac to is no promise
  const settled = settle(begun, await macs(begun.macs));
  if ("ok" in settled) return settled;
  return refused(settled, await runAwaiting(diagnose(settled.suspect), mac));
}

/** As the main entry's `verifyOrThrow`, with the likeliest cause in the error's `detail.detail`. */
export async function verifyOrThrow(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<Verified> {
  return orThrow(await verify(body, headers, secrets, options));
}
