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

export interface PingPayload {
  product: Product;
  webhook: { url: string };
}

export interface UpdatePayload {
  product: Product;
  previous: PreviousFileVersion;
  update: FileVersion;
}

export interface UserPayload {
  product: Product;
  user: User;
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
 * event was accepted; it is spliced in, never parsed and re-serialized, so retries carry the same bytes.
 */
export function renderBody(event: {
  name: string;
  /** Unix seconds. */
  time: number;
  nonce: string;
  payload: string;
}): string {
  return `{"event":${JSON.stringify(event.name)},"time":${event.time},"nonce":"${event.nonce}","payload":${event.payload}}`;
}
