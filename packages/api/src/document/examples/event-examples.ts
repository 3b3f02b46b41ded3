import { rejectedItem } from "../../input/batch-results.ts";
import {
  DELIVERY_ID,
  EVENT_ID,
  EVENT_TIME,
  OWNER_ID,
  PREVIOUS,
  RESOURCE_ID,
  samplePayloads,
  type Scene,
  UPDATE,
  USER_ID,
  WEBHOOK_ID,
} from "../sample-request.ts";
import { type OperationExamples, page } from "./operation-example.ts";

const accepted = { status: "accepted", eventId: EVENT_ID, deliveries: 2 };
const duplicate = { status: "duplicate", eventId: EVENT_ID };
const purchase = {
  event: "product.user.purchase",
  occurredAt: EVENT_TIME,
  user: { id: USER_ID },
  details: { buyerName: "Jo", amount: "4.99", currency: "EUR", orderId: "88213" },
  idempotencyKey: "line-88213-1",
};
const refund = {
  event: "product.user.purchaseRemoved",
  occurredAt: EVENT_TIME,
  user: { id: USER_ID },
  details: { reason: "refund" },
  idempotencyKey: "refund-5120-1",
};
const download = {
  event: "product.user.firstDownload",
  occurredAt: EVENT_TIME,
  user: { id: USER_ID },
};
const update = {
  event: "product.update",
  occurredAt: EVENT_TIME,
  update: UPDATE,
  previous: PREVIOUS,
  idempotencyKey: "update-u2",
};
const withResource = {
  ...purchase,
  resource: { title: "Castle", subtitle: "A map", ownerId: OWNER_ID },
};

const NO_USER = {
  code: "field_invalid",
  detail: "product.user.purchaseRemoved needs `user`.",
  pointer: "/user",
} as const;

export function eventExamples({ baseUrl }: Scene): OperationExamples {
  const summary = {
    id: EVENT_ID,
    resourceId: RESOURCE_ID,
    event: "product.user.purchase",
    time: EVENT_TIME,
    userId: USER_ID,
    erased: false,
    acceptedAt: "2026-01-02T00:00:01.250Z",
  };
  return {
    reportEvent: {
      requests: { purchase, refund, download, update, withResource },
      answers: { 200: duplicate, 202: accepted },
    },
    reportEvents: {
      requests: {
        two: {
          events: [
            { resourceId: RESOURCE_ID, ...purchase },
            { resourceId: RESOURCE_ID, ...refund },
          ],
        },
      },
      answers: {
        202: {
          results: [accepted, rejectedItem("events", NO_USER, 1)],
        },
      },
    },
    listEvents: { answers: { 200: page(summary) } },
    getEvent: {
      answers: {
        200: {
          ...summary,
          payload: samplePayloads(baseUrl)["product.user.purchase"],
          details: purchase.details,
        },
      },
    },
    explainEvent: {
      answers: {
        200: {
          event: summary,
          webhooks: [
            {
              webhookId: WEBHOOK_ID,
              url: "https://bot.example/…",
              verdict: "sent",
              sentence: "Sent, and your server accepted it.",
              since: "2026-01-02T00:00:05.410Z",
              deliveryId: DELIVERY_ID,
            },
          ],
        },
      },
    },
  };
}
