/**
 * One database sequence for all numbers. An event takes one number. Its deliveries take `number * 128 + position`, so
 * they need no second sequence, and an event's own deliveries are a range. Redeliveries and pings take a number of
 * their own. An event with an impossible number has no deliveries of its own.
 */
const SLOTS = 128;

export function deliveryNumber(number: number, position = 0): number {
  return Math.min(number * SLOTS + position, Number.MAX_SAFE_INTEGER);
}

/** The deliveries made when the event was accepted lie in this range, both ends included. */
export function deliveryRange(eventSeq: number): [first: number, last: number] {
  return [deliveryNumber(eventSeq), deliveryNumber(eventSeq, SLOTS - 1)];
}

/** Updates of a resource share this order key; buyers have their user id. */
export const UPDATE_ORDER_KEY = -1;

/** Deliveries of one webhook and order key are sent one after the other. */
export function orderKeyOf({ userId }: { userId?: number | null }): number {
  return userId ?? UPDATE_ORDER_KEY;
}
