import { type RandomBytes, randomText } from "./nonce.ts";

/**
 * Public ids of events and deliveries: a prefix, the database's sequence number in base 36, and the event's
 * random tag. The number finds the row without a second index; the tag makes the id unguessable.
 */
const TAG_LENGTH = 10;
const TAG_PATTERN = /^[0-9a-z]{10}$/;
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

export const EVENT_ID_PREFIX = "evt_";
export const DELIVERY_ID_PREFIX = "dlv_";
export const WEBHOOK_ID_PREFIX = "wh_";
export const API_KEY_ID_PREFIX = "key_";
export const PORTAL_SESSION_ID_PREFIX = "ps_";

export interface SequenceId {
  seq: number;
  tag: string;
}

/** Ten characters of `0-9a-z`, about 51 random bits. */
export function makeTag(randomBytes: RandomBytes): string {
  return randomText(randomBytes, TAG_LENGTH, DIGITS);
}

/** An id without a sequence number, such as a webhook's: prefix and 20 characters of `0-9a-z`. */
export function makeRandomId(prefix: string, randomBytes: RandomBytes): string {
  return prefix + randomText(randomBytes, 20, DIGITS);
}

export function eventId(id: SequenceId): string {
  return EVENT_ID_PREFIX + id.seq.toString(36) + id.tag;
}

export function deliveryId(id: SequenceId): string {
  return DELIVERY_ID_PREFIX + id.seq.toString(36) + id.tag;
}

/** Null for anything that is not such an id. */
export function parseEventId(text: string): SequenceId | null {
  return parse(EVENT_ID_PREFIX, text);
}

export function parseDeliveryId(text: string): SequenceId | null {
  return parse(DELIVERY_ID_PREFIX, text);
}

function parse(prefix: string, text: string): SequenceId | null {
  if (!text.startsWith(prefix)) return null;
  const tag = text.slice(-TAG_LENGTH);
  const digits = text.slice(prefix.length, -TAG_LENGTH);
  if (!TAG_PATTERN.test(tag) || !/^[1-9a-z][0-9a-z]{0,10}$/.test(digits)) return null;
  const seq = Number.parseInt(digits, 36);
  return Number.isSafeInteger(seq) ? { seq, tag } : null;
}
