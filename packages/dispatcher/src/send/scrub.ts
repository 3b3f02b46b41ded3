import { type HiddenAddress, hiddenAddress } from "@markethook/protocol";
import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import type { SendResult } from "./send-result.ts";

/** By URL. Taking a URL apart costs more than finding it. */
const addresses = new LRUCache<string, HiddenAddress>({ max: 10_000 });

/** Removes the webhook's address from an answer or error that repeats it, to keep it out of the log. */
export function scrub(
  result: SendResult,
  { url, shownUrl }: Pick<SendableWebhook, "url" | "shownUrl">,
): SendResult {
  let address = addresses.get(url);
  if (address === undefined) {
    address = hiddenAddress(url, shownUrl);
    addresses.set(url, address);
  }
  for (const part of address.parts) if (repeats(result, part)) return clean(result, address);
  return result;
}

/** Fast check for every answer: nearly all are short and contain none of these parts. */
function repeats({ detail, headers, body }: SendResult, part: string): boolean {
  if (body.length >= part.length && body.includes(part)) return true;
  if (detail?.includes(part) === true) return true;
  for (const [, value] of headers) if (value.includes(part)) return true;
  return false;
}

function clean(result: SendResult, { hide }: HiddenAddress): SendResult {
  const body = result.body.toString();
  const text = hide(body);
  return {
    ...result,
    detail: result.detail === null ? null : hide(result.detail),
    headers: result.headers.map(([name, value]) => [name, hide(value)]),
    // A body that is no text stays as it is, unless it contains the address.
    body: text === body ? result.body : Buffer.from(text),
  };
}
