/** For tests of receivers: requests exactly as Markethook signs them, and sample payloads. */
import { randomBytes } from "node:crypto";

import {
  DEFAULT_SERVICE_NAME,
  type EventName,
  isEventName,
  makeNonce,
  type Payloads,
  signedRequest,
} from "@markethook/protocol";

export interface TestRequestOptions {
  /** An event's name, also one that does not exist. */
  event: string;
  /** Default: the event's sample payload, or `{}` for a name that does not exist. */
  payload?: object;
  secret: string;
  /** The secret being rotated in, which then signs as well. */
  nextSecret?: string;
  /** Default `Service`. */
  serviceName?: string;
  /** Unix milliseconds, the time of sending. Default `Date.now`. */
  now?: () => number;
  /** Unix seconds of the event. Default: the time of sending. */
  time?: number;
  /** Default: a new one. */
  nonce?: string;
  url?: string;
  eventId?: string;
  webhookId?: string;
  resourceId?: string;
  deliveryId?: string;
  /** Counted from 1. Default 1. */
  attempt?: number;
}

/** The same with a whole envelope in place of its parts. */
export interface TestEnvelopeOptions extends Omit<
  TestRequestOptions,
  "event" | "payload" | "time" | "nonce"
> {
  envelope: { event: string; time: number; nonce: string; payload: object };
}

export interface TestRequest {
  url: string;
  method: "POST";
  /** All that is sent but `Host`, `Content-Length` and `Connection`, which an HTTP client sets by itself. */
  headers: Record<string, string>;
  /** The bytes, in a type that `fetch` takes in each TypeScript: before 5.7 `Uint8Array` is not generic. */
  body: ReturnType<InstanceType<typeof TextEncoder>["encode"]>;
}

const SET_BY_CLIENTS = new Set(["Host", "Content-Length", "Connection"]);

/** Made by the same functions that make real requests. Pass it on: `fetch(request.url, request)`. */
export function signTestRequest(options: TestRequestOptions | TestEnvelopeOptions): TestRequest {
  const timestamp = Math.floor((options.now ?? Date.now)() / 1000);
  const { event, payload, time, nonce } = envelopeOf(options, timestamp);
  const payloadText = JSON.stringify(payload);
  const { secret: current, nextSecret: next } = options;
  const secrets = next === undefined ? { current } : { current, next };
  const { request } = signedRequest(
    { serviceName: options.serviceName ?? DEFAULT_SERVICE_NAME, userAgent: "Markethook-Test" },
    {
      eventId: options.eventId ?? "evt_1test000000",
      eventName: event,
      eventTime: time,
      payload: payloadText,
      webhookId: options.webhookId ?? "wh_test0000000000000000",
      resourceId: options.resourceId ?? "better-farms",
      deliveryId: options.deliveryId ?? "dlv_1test000000",
    },
    options.attempt ?? 1,
    secrets,
    { url: options.url ?? "https://receiver.example/webhooks", nonce, timestamp },
  );
  return {
    url: request.url,
    method: "POST",
    headers: Object.fromEntries(request.headers.filter(([name]) => !SET_BY_CLIENTS.has(name))),
    body: new TextEncoder().encode(request.body),
  };
}

function envelopeOf(
  options: TestRequestOptions | TestEnvelopeOptions,
  now: number,
): TestEnvelopeOptions["envelope"] {
  if ("envelope" in options) return options.envelope;
  const { event } = options;
  return {
    event,
    time: options.time ?? now,
    nonce: options.nonce ?? makeNonce(randomBytes),
    payload: options.payload ?? (isEventName(event) ? samplePayload(event) : {}),
  };
}

const product = {
  id: "better-farms",
  title: "Better Farms – Größere Felder 🌾",
  subtitle: "",
  url: "https://marketplace.example/resource/better-farms",
};

const SAMPLES: Payloads = {
  ping: { product, webhook: { url: "https://receiver.example/webhooks" } },
  "product.update": {
    product,
    previous: {
      version: "2.3.0",
      id: "5120",
      time: 1_767_225_600,
      size: "48213",
      fileType: "jar",
      branch: "release",
    },
    update: {
      version: "2.4.0",
      id: "5127",
      time: 1_767_312_000,
      size: "49870",
      fileType: "jar",
      branch: "release",
      title: "Faster harvest",
      description: 'Fixes:\n- no more "ghost" wheat\n- carrots ripen again',
    },
  },
  "product.user.purchase": { product, user: { id: 4711 } },
  "product.user.purchaseRemoved": { product, user: { id: 4711 } },
  "product.user.firstDownload": { product, user: { id: 4711 } },
};

/** A payload as the event really carries it; a copy of its own, to be changed at will. */
export function samplePayload<Name extends EventName>(name: Name): Payloads[Name] {
  return structuredClone(SAMPLES[name]);
}
