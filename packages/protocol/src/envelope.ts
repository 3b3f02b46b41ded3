/** The specification's body as types, and as the text that is posted. Member order here is the order on the wire. */

import type { EVENT_SUBJECTS, EventName } from "./event-names.ts";

export interface Product {
  id: string;
  title: string;
  subtitle: string;
  /** `{base_url}/resource/{id}` */
  url: string;
}

export interface User {
  /** Always a JSON number, in every event that carries it. */
  id: number;
}

/** `payload.previous` of `product.update`: the version before. */
export interface PreviousFileVersion {
  version: string;
  id: string;
  /** Unix seconds of that version's release. */
  time: number;
  /** Bytes, as a string of decimal digits. */
  size: string;
  fileType: string;
  branch: string;
}

/** `payload.update` of `product.update`: the new version. */
export interface FileVersion extends PreviousFileVersion {
  title: string;
  description: string;
}

/**
 * Facts about an order, as the marketplace reported them. Not part of the specification: sent to webhooks whose
 * owner chose so, and only with events that were reported with details.
 */
export interface Details {
  buyerName?: string;
  amount?: string | number;
  currency?: string;
  orderId?: string;
  reason?: string;
}

export interface PingPayload {
  product: Product;
  webhook: { url: string };
}

export interface UpdatePayload {
  product: Product;
  previous: PreviousFileVersion;
  update: FileVersion;
  details?: Details;
}

export interface UserPayload {
  product: Product;
  user: User;
  details?: Details;
}

interface SubjectPayloads {
  webhook: PingPayload;
  update: UpdatePayload;
  user: UserPayload;
}

export type Payloads = {
  [Name in EventName]: SubjectPayloads[(typeof EVENT_SUBJECTS)[Name]];
};

export interface Envelope<Name extends keyof Payloads = keyof Payloads> {
  event: Name;
  /** Unix seconds of the event. */
  time: number;
  /** 16 characters of `A-Za-z0-9_-`, different in every request. */
  nonce: string;
  payload: Payloads[Name];
}

/**
 * The exact text posted: `{event,time,nonce,payload}`, compact. `payload` is the JSON text made when the
 * event was accepted; it is spliced in, never parsed and re-serialized, so retries carry the same bytes. So are details,
 * after the payload's own members.
 */
export function renderBody({
  name,
  time,
  nonce,
  payload,
  details = null,
}: {
  name: string;
  /** Unix seconds. */
  time: number;
  nonce: string;
  payload: string;
  /** JSON text of the details that go along; null: none. */
  details?: string | null;
}): string {
  const whole = details === null ? payload : `${payload.slice(0, -1)},"details":${details}}`;
  return `{"event":${JSON.stringify(name)},"time":${time},"nonce":"${nonce}","payload":${whole}}`;
}
