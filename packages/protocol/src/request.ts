import { renderBody } from "./envelope.ts";
import { headerNames, STANDARD_HEADERS, WEBHOOK_VERSION } from "./header-names.ts";
import { type RequestSignatures, type SigningSecrets, signRequest } from "./signature.ts";

/** Shared by all requests of one deployment. Stored once and referred to, so that old requests can be shown exactly. */
export interface SenderProfile {
  serviceName: string;
  userAgent: string;
}

/** The parts in which the requests of a delivery differ. An attempt stores exactly these. */
export interface RequestVariables extends RequestSignatures {
  /** As the owner saved it at that moment. */
  url: string;
  nonce: string;
  /** Unix seconds of the attempt. */
  timestamp: number;
  /** The event's details went along, in the payload. */
  withDetails?: true;
}

/** Shared by all requests of a delivery. */
export interface RequestConstants {
  eventId: string;
  eventName: string;
  /** Unix seconds of the event. */
  eventTime: number;
  /** The payload's JSON text. */
  payload: string;
  /** JSON text of the reported details, for chats and the log. It is sent only in requests `withDetails`. */
  details?: string | null;
  webhookId: string;
  resourceId: string;
  deliveryId: string;
}

/** A request as it goes out. */
export class RenderedRequest {
  readonly method: "POST" | "PATCH";
  readonly url: string;
  /** Request line and headers, to the empty line that ends them. */
  readonly head: string;
  readonly body: string;

  constructor(url: string, head: string, body: string, method: "POST" | "PATCH" = "POST") {
    this.method = method;
    this.url = url;
    this.head = head;
    this.body = body;
  }

  /** Path and query as they go on the request line. */
  get target(): string {
    return this.head.slice(this.method.length + 1, this.head.indexOf(" HTTP/1.1"));
  }

  /** In wire order, `Host` first. */
  get headers(): [name: string, value: string][] {
    const lines = this.head.split("\r\n").slice(1, -2);
    return lines.map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
  }
}

/** Signs and renders a request. */
export function signedRequest(
  profile: SenderProfile,
  constants: RequestConstants,
  /** Counted from 1. */
  attempt: number,
  secrets: SigningSecrets,
  unsigned: Omit<RequestVariables, keyof RequestSignatures>,
): { request: RenderedRequest; variables: RequestVariables } {
  const body = bodyOf(constants, unsigned);
  const signatures = signRequest(secrets, constants.eventId, unsigned.timestamp, body);
  const variables = { ...unsigned, ...signatures };
  return { request: renderRequest(profile, constants, attempt, variables, body), variables };
}

function bodyOf(
  { eventName, eventTime, payload, details = null }: RequestConstants,
  { nonce, withDetails }: Pick<RequestVariables, "nonce" | "withDetails">,
): string {
  const sent = withDetails === true ? details : null;
  return renderBody({ name: eventName, time: eventTime, nonce, payload, details: sent });
}

/**
 * The one function that makes a request: the sender writes what it returns, and the delivery log shows what it
 * returns, so the two cannot differ. One template, because it is made for every request that is sent: a list of
 * headers would be most of its garbage.
 */
export function renderRequest(
  profile: SenderProfile,
  constants: RequestConstants,
  /** Counted from 1. */
  attempt: number,
  variables: RequestVariables,
  /** The same text, where it was rendered already to be signed. */
  body = bodyOf(constants, variables),
): RenderedRequest {
  const { host, pathname, search } = new URL(variables.url);
  const names = headerNames(profile.serviceName);
  const { signatureNext, standard } = variables;
  const next = signatureNext === undefined ? "" : `${names.signatureNext}: ${signatureNext}\r\n`;
  const also = standard === undefined ? "" : `${STANDARD_HEADERS.signature}: ${standard}\r\n`;
  const head = `POST ${pathname}${search} HTTP/1.1\r
Host: ${host}\r
User-Agent: ${profile.userAgent}\r
Content-Type: application/json\r
Content-Length: ${Buffer.byteLength(body)}\r
${names.version}: ${WEBHOOK_VERSION}\r
${names.signature}: ${variables.signature}\r
${next}${STANDARD_HEADERS.id}: ${constants.eventId}\r
${STANDARD_HEADERS.timestamp}: ${variables.timestamp}\r
${also}${names.hookId}: ${constants.webhookId}\r
${names.resourceId}: ${constants.resourceId}\r
${names.deliveryId}: ${constants.deliveryId}\r
${names.attempt}: ${attempt}\r
Accept: */*\r
Accept-Encoding: identity\r
Connection: keep-alive\r
\r
`;
  return new RenderedRequest(variables.url, head, body);
}

/** The request as text on the wire; UTF-8. */
export function requestText(request: RenderedRequest): string {
  return request.head + request.body;
}
