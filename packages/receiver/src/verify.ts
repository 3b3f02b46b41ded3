import { macs } from "#mac";

import { copyOf } from "./bytes.ts";
import type { ReceivedHeaders } from "./headers.ts";
import { orThrow, type Verified, type VerifyResult } from "./result.ts";
import { begin, refused, settle, type VerifyOptions } from "./verify-steps.ts";

/**
 * Verifies a request: raw bytes and headers in, typed event out. Nothing is parsed for the caller before a
 * signature has fitted one of the secrets (of several secrets any will do, as during a rotation). Rejects for no
 * request; only where there is no Web Crypto, which browsers have on https pages alone. Of causes it tells those
 * that show by themselves; `@markethook/receiver/explain` looks for the others.
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
  return "ok" in settled ? settled : refused(settled, []);
}

/** As `verify`, but rejects with a `MarkethookError` whose `code` is the failure's. */
export async function verifyOrThrow(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<Verified> {
  return orThrow(await verify(body, headers, secrets, options));
}
