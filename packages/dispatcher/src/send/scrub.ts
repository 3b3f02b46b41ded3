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
  const body = cleanBody(result, address);
  const detail = result.detail === null ? null : address.hide(result.detail);
  const headers = cleanHeaders(result.headers, address);
  return body === result.body && detail === result.detail && headers === result.headers
    ? result
    : { ...result, body, detail, headers };
}

/** A body that is no text stays as it is, unless it contains the address. */
function cleanBody(result: SendResult, { shortest, hide }: HiddenAddress): Buffer {
  // Nearly all are short, and most are empty.
  if (result.body.length < shortest) return result.body;
  const text = result.body.toString();
  const clean = hide(text, result.bodyTruncated || result.category !== null);
  return clean === text ? result.body : Buffer.from(clean);
}

function cleanHeaders(
  headers: SendResult["headers"],
  { hide }: HiddenAddress,
): SendResult["headers"] {
  return headers.some(([, value]) => hide(value) !== value)
    ? headers.map(([name, value]) => [name, hide(value)])
    : headers;
}
