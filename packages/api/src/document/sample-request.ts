import {
  type EventName,
  type Payloads,
  product,
  type RenderedRequest,
  signedRequest,
} from "@markethook/protocol";

/** Facts of a deployment for its examples. */
export interface Scene {
  serviceName: string;
  /** Of resource pages. */
  baseUrl: string;
  /** Of this service's pages. */
  publicUrl: string;
  version: string;
}

/** Ids that all examples share, so that they tell one story. */
export const RESOURCE_ID = "castle";
export const OWNER_ID = "1001";
export const USER_ID = 4711;
export const WEBHOOK_ID = "wh_8fllc17r7788lpbmi0v7";
export const EVENT_ID = "evt_2s0m9k3x7q1z5v8";
export const DELIVERY_ID = "dlv_7f0m9k3x7q1z5v8";
/** The secret of the examples, which matches their signatures. */
export const SECRET = "Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C";
export const RECEIVER_URL = "https://bot.example/hooks";
/** Unix seconds: the event, and the attempt. */
export const EVENT_TIME = 1_767_312_000;
const SENT_AT = 1_767_312_005;
const NONCE = "AbCdEfGhIjKlMnOp";

export const PREVIOUS = {
  version: "1.0",
  id: "u1",
  time: 1_767_225_600,
  size: "1048576",
  fileType: "zip",
  branch: "release",
};
export const UPDATE = {
  version: "1.1",
  id: "u2",
  time: EVENT_TIME,
  size: "1050000",
  fileType: "zip",
  branch: "release",
  title: "Moat",
  description: "Now with water.\nThe old bridge still works.",
};

/** A payload as receivers get it. */
export function samplePayloads(baseUrl: string): Payloads {
  const of = product(baseUrl, { id: RESOURCE_ID, title: "Castle", subtitle: "A map" });
  const user = { product: of, user: { id: USER_ID } };
  return {
    ping: { product: of, webhook: { url: RECEIVER_URL } },
    "product.update": { product: of, previous: PREVIOUS, update: UPDATE },
    "product.user.purchase": user,
    "product.user.purchaseRemoved": user,
    "product.user.firstDownload": user,
  };
}

/** A request as it is sent, signed with the examples' secret. */
export function sampleRequest(name: EventName, scene: Scene): RenderedRequest {
  const payload = JSON.stringify(samplePayloads(scene.baseUrl)[name]);
  const { request } = signedRequest(
    { serviceName: scene.serviceName, userAgent: `Markethook/${scene.version}` },
    {
      eventId: EVENT_ID,
      eventName: name,
      eventTime: EVENT_TIME,
      payload,
      webhookId: WEBHOOK_ID,
      resourceId: RESOURCE_ID,
      deliveryId: DELIVERY_ID,
    },
    1,
    { current: SECRET },
    { url: RECEIVER_URL, nonce: NONCE, timestamp: SENT_AT },
  );
  return request;
}
