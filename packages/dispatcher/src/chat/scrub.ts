import type { SendResult } from "../send/send-result.ts";

const STANDS_FOR_IT = "…";

/** An answer, or an error, that repeats the address must not bring its secret into the log. */
export function scrub(result: SendResult, secret: string): SendResult {
  const clean = (text: string): string => text.replaceAll(secret, STANDS_FOR_IT);
  return {
    ...result,
    detail: result.detail === null ? null : clean(result.detail),
    headers: result.headers.map(([name, value]) => [name, clean(value)]),
    // A body that is no text stays as it is, unless the secret stands in it.
    body: result.body.includes(secret) ? Buffer.from(clean(result.body.toString())) : result.body,
  };
}
