import {
  RenderedRequest,
  type RequestConstants,
  type SenderProfile,
  signedRequest,
} from "@markethook/protocol";
import type { SendableWebhook } from "@markethook/store";

/** The input of a signed request. */
export interface Unsigned {
  profile: SenderProfile;
  /** With details: they go along. */
  constants: RequestConstants;
  /** Counted from 1. */
  attempt: number;
  webhook: Pick<SendableWebhook, "url" | "secrets">;
  /** Unix milliseconds. */
  at: number;
  nonce: string;
}

/** The same with the data that its attempt stores: only data, so that a thread can make the request. */
export interface UnsignedRequest extends Unsigned {
  profile: SenderProfile & { no: number };
  webhook: Pick<SendableWebhook, "url" | "shownUrl" | "secrets">;
}

export function requestOf({ profile, constants, attempt, webhook, at, nonce }: Unsigned) {
  const { url, secrets } = webhook;
  const variables: Parameters<typeof signedRequest>[4] = {
    url,
    nonce,
    timestamp: Math.floor(at / 1000),
  };
  if (typeof constants.details === "string") variables.withDetails = true;
  return signedRequest(profile, constants, attempt, secrets, variables);
}

/**
 * As a list, in which it goes to a thread. The names of an object's members would go with it each time, and reading it
 * takes three times as long.
 */
export function packRequest({ profile, constants, attempt, webhook, at, nonce }: UnsignedRequest) {
  return [
    profile.no,
    profile.serviceName,
    profile.userAgent,
    constants.eventId,
    constants.eventName,
    constants.eventTime,
    constants.payload,
    constants.details ?? null,
    constants.webhookId,
    constants.resourceId,
    constants.deliveryId,
    attempt,
    webhook.url,
    webhook.shownUrl,
    webhook.secrets.current,
    webhook.secrets.next,
    at,
    nonce,
  ] as const;
}

export function unpackRequest(packed: ReturnType<typeof packRequest>): UnsignedRequest {
  const [no, serviceName, userAgent, ...rest] = packed;
  const [eventId, eventName, eventTime, payload, details, ...ids] = rest;
  const [webhookId, resourceId, deliveryId, ...own] = ids;
  const [attempt, url, shownUrl, current, next, at, nonce] = own;
  return {
    profile: { no, serviceName, userAgent },
    constants: {
      eventId,
      eventName,
      eventTime,
      payload,
      details,
      webhookId,
      resourceId,
      deliveryId,
    },
    attempt,
    webhook: { url, shownUrl, secrets: next === undefined ? { current } : { current, next } },
    at,
    nonce,
  };
}

/** Returns the request with one more header, after all others. */
export function withHeader(request: RenderedRequest, name: string, value: string): RenderedRequest {
  const { url, head, body, method } = request;
  return new RenderedRequest(url, `${head.slice(0, -2)}${name}: ${value}\r\n\r\n`, body, method);
}
