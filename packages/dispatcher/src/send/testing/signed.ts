import type { JudgedResult } from "../signed-exchange.ts";
import type { UnsignedRequest } from "../signed-request.ts";
import type { Sender } from "../sender.ts";
import { mayWrite } from "./test-sender.ts";

export const AT = 1_700_000_000_500;

/** What the request of a purchase is made from. */
export function unsigned(url: string): UnsignedRequest {
  return {
    profile: { no: 4, serviceName: "Service", userAgent: "Service/1" },
    constants: {
      eventId: "evt_1",
      eventName: "product.user.purchase",
      eventTime: 1_699_999_999,
      payload: '{"user":{"id":7,"name":"Ä"}}',
      webhookId: "wh_1",
      resourceId: "castle",
      deliveryId: "dlv_1",
    },
    attempt: 3,
    webhook: {
      url,
      shownUrl: `${new URL(url).origin}/…`,
      secrets: { current: "a".repeat(48), next: "b".repeat(48) },
    },
    at: AT,
    nonce: "AbCdEfGhIjKlMnOp",
  };
}

export type Ended = { result: JudgedResult; detail: Record<string, unknown> } | { failed: string };

export function sendSigned(
  sender: Pick<Sender, "startSigned">,
  request: UnsignedRequest,
): Promise<Ended> {
  return new Promise((resolve) =>
    sender.startSigned(request, {
      mayWrite,
      ended: (result, detail) =>
        // Written by this process, always an object.
        resolve({ result, detail: JSON.parse(detail) as Record<string, unknown> }),
      failed: (error) => resolve({ failed: String(error) }),
    }),
  );
}
