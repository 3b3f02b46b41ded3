import { renderBody } from "./body.ts";
import { headerNames, STANDARD_HEADERS, WEBHOOK_VERSION } from "./header-names.ts";
import type { RequestSignatures } from "./signature.ts";

/** What all requests of one deployment share. Stored once and referred to, so that old requests can be shown exactly. */
export interface SenderProfile {
  serviceName: string;
  userAgent: string;
}

/** What differs from one request of a delivery to the next. An attempt stores exactly this. */
export interface RequestVariables extends RequestSignatures {
  /** As the owner saved it at that moment. */
  url: string;
  nonce: string;
  /** Unix seconds of the attempt. */
  timestamp: number;
}

/** What all requests of a delivery share. */
export interface RequestConstants {
  eventId: string;
  eventName: string;
  /** Unix seconds of the event. */
  eventTime: number;
  /** The payload's JSON text. */
  payload: string;
  webhookId: string;
  resourceId: string;
  deliveryId: string;
}

export interface RenderedRequest {
  method: "POST";
  url: string;
  /** Path and query as they go on the request line. */
  target: string;
  /** In wire order, `Host` first. */
  headers: [name: string, value: string][];
  body: string;
}

/**
 * The one function that makes a request: the sender writes what it returns, and the delivery log shows what it
 * returns, so the two cannot differ.
 */
export function renderRequest(
  profile: SenderProfile,
  constants: RequestConstants,
  /** Counted from 1. */
  attempt: number,
  variables: RequestVariables,
  /** The same text, where it was rendered already to be signed. */
  body = renderBody({
    name: constants.eventName,
    time: constants.eventTime,
    nonce: variables.nonce,
    payload: constants.payload,
  }),
): RenderedRequest {
  const url = new URL(variables.url);
  const names = headerNames(profile.serviceName);
  const headers: [string, string][] = [
    ["Host", url.host],
    ["User-Agent", profile.userAgent],
    ["Content-Type", "application/json"],
    ["Content-Length", String(Buffer.byteLength(body))],
    [names.version, WEBHOOK_VERSION],
    [names.signature, variables.signature],
  ];
  if (variables.signatureNext !== undefined) {
    headers.push([names.signatureNext, variables.signatureNext]);
  }
  headers.push(
    [STANDARD_HEADERS.id, constants.eventId],
    [STANDARD_HEADERS.timestamp, String(variables.timestamp)],
  );
  if (variables.standard !== undefined)
    headers.push([STANDARD_HEADERS.signature, variables.standard]);
  headers.push(
    [names.hookId, constants.webhookId],
    [names.resourceId, constants.resourceId],
    [names.deliveryId, constants.deliveryId],
    [names.attempt, String(attempt)],
    ["Accept", "*/*"],
    ["Accept-Encoding", "identity"],
    ["Connection", "keep-alive"],
  );
  return { method: "POST", url: variables.url, target: url.pathname + url.search, headers, body };
}

/** The request as bytes on the wire. */
export function requestText(request: RenderedRequest): string {
  let text = `${request.method} ${request.target} HTTP/1.1\r\n`;
  for (const [name, value] of request.headers) text += `${name}: ${value}\r\n`;
  return `${text}\r\n${request.body}`;
}
