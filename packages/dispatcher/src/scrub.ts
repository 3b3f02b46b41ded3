import { type HiddenAddress, hiddenAddress } from "@markethook/protocol";
import type { SendableWebhook } from "@markethook/store";
import type { SendResult } from "./send/send-result.ts";

const addresses = new WeakMap<SendableWebhook, HiddenAddress>();

/** An answer, or an error, that repeats the webhook's address must not bring it into the log. */
export function scrub(result: SendResult, webhook: SendableWebhook): SendResult {
  let address = addresses.get(webhook);
  if (address === undefined) {
    address = hiddenAddress(webhook.url, webhook.shownUrl);
    addresses.set(webhook, address);
  }
  const { parts, hide } = address;
  return parts.some((part) => repeats(result, part)) ? clean(result, hide) : result;
}

function repeats({ detail, headers, body }: SendResult, part: string): boolean {
  return (
    body.includes(part) ||
    (detail?.includes(part) ?? false) ||
    headers.some(([, value]) => value.includes(part))
  );
}

function clean(result: SendResult, hide: (text: string) => string): SendResult {
  const text = hide(result.body.toString());
  return {
    ...result,
    detail: result.detail === null ? null : hide(result.detail),
    headers: result.headers.map(([name, value]) => [name, hide(value)]),
    // A body that is no text stays as it is, unless the address stands in it.
    body: text === result.body.toString() ? result.body : Buffer.from(text),
  };
}
