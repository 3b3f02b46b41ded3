/** An attempt that its receiver accepted. */
export const ATTEMPT = {
  webhookId: "wh_1",
  webhookNo: 1,
  deliverySeq: 1,
  eventSeq: 1,
  tag: "abcdefghij",
  eventName: "product.user.purchase",
  number: 1,
  outcome: "ok",
  status: 200,
  ms: 1,
  host: "r.example",
  next: "delivered",
  detail: null,
} as const;
