import { rejectedCopy } from "../../input/batch-results.ts";
import {
  DELIVERY_ID,
  EVENT_ID,
  OWNER_ID,
  RECEIVER_URL,
  RESOURCE_ID,
  SECRET,
  sampleRequest,
  type Scene,
  WEBHOOK_ID,
} from "../sample-request.ts";
import { attemptedRequest, TAKEN, TIMINGS } from "./delivery-examples.ts";
import { type OperationExamples, page } from "./operation-example.ts";

const CREATED_AT = "2026-01-01T09:30:00.000Z";
const NEXT_SECRET = "k9Fw3Bn7Mv1Xc5Zl8Aj2Sd6Gh0Qe4Rt7Yu1Io5Pa9Wz3Ex2D";
const SHOWN_URL = "https://bot.example/…";
const OTHER_ID = "wh_4k8w2m6q0z3x7v1c5b9n";

const webhook = {
  id: WEBHOOK_ID,
  resourceId: RESOURCE_ID,
  ownerId: OWNER_ID,
  url: SHOWN_URL,
  urlVersion: "q3Zr8WmTn2Yx6LbK",
  host: "bot.example",
  format: "json",
  chat: null,
  chatFault: null,
  events: ["product.user.purchase", "product.user.purchaseRemoved"],
  description: "Roles for buyers",
  includeDetails: false,
  state: "active",
  disabledReason: null,
  standardSignature: true,
  rotation: null,
  dropping: false,
  failingSince: null,
  lastSuccessAt: "2026-01-02T00:00:05.410Z",
  lastFailureAt: null,
  givenUp: null,
  health: {
    hours: [{ ok: 1, failed: 0 }],
    lastAttempt: { at: "2026-01-02T00:00:05.410Z", outcome: "ok", status: 204 },
  },
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};
const paused = { ...webhook, state: "paused", held: { count: 12, capped: false } };
const rotating = { ...webhook, rotation: { until: "2026-01-03T00:00:00.000Z" } };

const pinged = (scene: Scene) => ({
  deliveryId: DELIVERY_ID,
  eventId: EVENT_ID,
  outcome: "ok",
  status: 204,
  sentence: "The receiver accepted the request.",
  timings: TIMINGS,
  sent: true,
  request: attemptedRequest(sampleRequest("ping", scene)),
  response: TAKEN,
});

export function webhookExamples(scene: Scene): OperationExamples {
  return {
    createWebhook: {
      requests: {
        server: { url: RECEIVER_URL, events: webhook.events, description: webhook.description },
        everything: { url: RECEIVER_URL },
      },
      answers: { 201: { ...webhook, secret: SECRET, remarks: [] } },
    },
    listResourceWebhooks: { answers: { 200: page(webhook) } },
    listWebhooks: { answers: { 200: page(webhook) } },
    getWebhook: { answers: { 200: webhook } },
    changeWebhook: {
      requests: {
        events: { events: webhook.events },
        allEvents: { events: null },
        unlessChanged: { url: RECEIVER_URL, expected: { urlVersion: webhook.urlVersion } },
      },
      answers: { 200: { ...webhook, remarks: [] } },
    },
    deleteWebhook: { answers: { 204: null } },
    copyWebhook: {
      requests: { two: { resourceIds: ["tower", "bridge"] } },
      answers: {
        200: {
          results: [
            { resourceId: "tower", status: "created", webhookId: OTHER_ID, secret: NEXT_SECRET },
            rejectedCopy("bridge", "resource_unknown"),
          ],
        },
      },
    },
    pingWebhook: {
      requests: { current: {}, next: { secret: "next" } },
      answers: {
        200: pinged(scene),
      },
    },
    sendSample: {
      requests: {
        purchase: { event: "product.user.purchase", userId: 4711 },
        show: { event: "product.update", dryRun: true },
      },
      answers: { 200: pinged(scene) },
    },
    checkWebhook: {
      answers: {
        200: {
          verdict: "accepts_forgeries",
          sentence:
            "Your server accepts forged requests: anyone who knows its address can give away your product.",
          advice:
            "Verify the signature before anything else, and reply 401 where it does not fit. Code that does so is on the webhook's page, under Verify requests.",
          probes: [
            {
              probe: "wrong_signature",
              title: "Signed with another secret",
              kind: "forged",
              finding: "wrong",
              sentence: "Signatures made with another secret were accepted.",
              status: 200,
              body: "ok",
              ms: 12,
            },
          ],
          ping: pinged(scene),
        },
      },
    },
    pauseWebhook: { answers: { 200: paused } },
    resumeWebhook: { requests: { send: { held: "send" } }, answers: { 200: webhook } },
    revealUrl: { answers: { 200: { url: RECEIVER_URL } } },
    revealSecret: { answers: { 200: { current: SECRET, next: null } } },
    rotateSecret: {
      requests: {
        overlap: { mode: "overlap", overlapSeconds: 86_400 },
        leaked: { mode: "switch_now" },
      },
      answers: { 200: { webhook: rotating, secret: NEXT_SECRET } },
    },
    switchSecret: { answers: { 200: webhook } },
    cancelRotation: { answers: { 200: webhook } },
    sendWaiting: {
      requests: { count: { dryRun: true }, send: {} },
      answers: { 200: { sent: 12, cursor: null } },
    },
    stopWaiting: { answers: { 200: { stopped: 9, more: false } } },
    replayWebhook: {
      requests: {
        dead: { from: 1_767_225_600, to: 1_767_312_000 },
        missing: { from: 1_767_225_600, to: 1_767_312_000, include: "missing", dryRun: true },
      },
      answers: { 200: { sent: 3, cursor: null } },
    },
    checkUrl: {
      requests: { server: { url: RECEIVER_URL, resourceId: RESOURCE_ID } },
      answers: {
        200: {
          ok: true,
          format: "json",
          label: null,
          shownUrl: RECEIVER_URL,
          defaultEvents: null,
          faults: [],
          remarks: [],
        },
      },
    },
    verifyRequest: {
      requests: {
        byWebhook: {
          headers: Object.fromEntries(sampleRequest("ping", scene).headers),
          body: sampleRequest("ping", scene).body,
          webhookId: WEBHOOK_ID,
        },
      },
      answers: { 200: { valid: true, event: "ping" } },
    },
  };
}
