import type { RenderedRequest } from "@markethook/protocol";
import {
  DELIVERY_ID,
  EVENT_ID,
  EVENT_TIME,
  RESOURCE_ID,
  samplePayloads,
  sampleRequest,
  type Scene,
  USER_ID,
  WEBHOOK_ID,
} from "../sample-request.ts";
import { type OperationExamples, page } from "./operation-example.ts";

const AT = "2026-01-02T00:00:05.000Z";
const delivery = {
  id: DELIVERY_ID,
  eventId: EVENT_ID,
  event: "product.user.purchase",
  time: EVENT_TIME,
  webhookId: WEBHOOK_ID,
  resourceId: RESOURCE_ID,
  userId: USER_ID,
  state: "delivered",
  reason: null,
  origin: "event",
  attempts: 1,
  lastOutcome: "ok",
  lastStatus: 204,
  details: { orderId: "88213" },
  version: null,
  dueAt: null,
  createdAt: "2026-01-02T00:00:01.250Z",
  endedAt: AT,
};

export const TIMINGS = { dnsMs: 4, connectMs: 11, tlsMs: 23, firstByteMs: 61, totalMs: 62 };
export const TAKEN = {
  status: 204,
  headers: [["Date", "Fri, 02 Jan 2026 00:00:05 GMT"]],
  body: "",
};

export function attemptedRequest({ method, url, headers, body }: RenderedRequest) {
  return { method, url, headers, body };
}

export function deliveryExamples(scene: Scene): OperationExamples {
  const request = attemptedRequest(sampleRequest("product.user.purchase", scene));
  return {
    listDeliveries: { answers: { 200: page(delivery) } },
    listWebhookDeliveries: { answers: { 200: page(delivery) } },
    listFailures: {
      answers: {
        200: {
          groups: [
            {
              outcome: "http_error",
              status: 500,
              sent: true,
              reply: "database is locked",
              count: 480,
              givenUp: 12,
              firstAt: "2026-01-02T04:37:10.000Z",
              lastAt: "2026-01-02T06:12:45.120Z",
              deliveryId: DELIVERY_ID,
            },
          ],
          others: 0,
          capped: false,
        },
      },
    },
    getActivity: {
      answers: {
        200: {
          from: "2026-01-02T04:00:00.000Z",
          to: "2026-01-02T06:00:00.000Z",
          stepHours: 1,
          points: [
            {
              at: "2026-01-02T04:00:00.000Z",
              delivered: 480,
              retried: 12,
              givenUp: 0,
              replyMs: { p50: 84, p95: 310 },
            },
            {
              at: "2026-01-02T05:00:00.000Z",
              delivered: 0,
              retried: 0,
              givenUp: 0,
              replyMs: null,
            },
          ],
          total: { delivered: 480, retried: 12, givenUp: 0, replyMs: { p50: 84, p95: 310 } },
        },
      },
    },
    getDelivery: {
      answers: {
        200: {
          ...delivery,
          payload: samplePayloads(scene.baseUrl)["product.user.purchase"],
          next: null,
          attemptList: [
            {
              number: 1,
              at: AT,
              outcome: "ok",
              status: 204,
              timings: TIMINGS,
              sent: true,
              request,
              response: TAKEN,
            },
          ],
        },
      },
    },
    redeliver: {
      requests: { plain: {}, outOfOrder: { confirm: true } },
      answers: { 202: { deliveryId: "dlv_8f0m9k3x7q1z5v8" } },
    },
    sendNow: { answers: { 202: { deliveryId: DELIVERY_ID, earlier: 0 } } },
    streamDeliveries: {
      answers: { 200: `id: 1\nevent: delivery\ndata: ${JSON.stringify(delivery)}\n\n` },
    },
  };
}
