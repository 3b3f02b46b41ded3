import { EVENT_NAMES, type EventName } from "@markethook/protocol";
import type { DeliveryOrigin, EndState } from "../port/deliveries.ts";

/** Small numbers that rows store for words of the code. Positions are stored: only append, never reorder. */
const ORIGINS: readonly DeliveryOrigin[] = ["event", "redelivery", "ping"];
const END_STATES: readonly EndState[] = ["delivered", "dead", "cancelled"];

export function kindOf(name: EventName): number {
  return EVENT_NAMES.indexOf(name);
}

export function eventNameOf(kind: number): EventName {
  return at(EVENT_NAMES, kind);
}

export function originNumber(origin: DeliveryOrigin): number {
  return ORIGINS.indexOf(origin);
}

export function originOf(number: number): DeliveryOrigin {
  return at(ORIGINS, number);
}

export function endStateNumber(state: EndState): number {
  return END_STATES.indexOf(state);
}

export function endStateOf(number: number): EndState {
  return at(END_STATES, number);
}

/** A webhook's chosen events as bits; null (all events) stays null, so that later events are included. */
export function eventMask(names: readonly EventName[] | null): number | null {
  return names === null ? null : names.reduce((mask, name) => mask | (1 << kindOf(name)), 0);
}

export function maskMatches(mask: number | null, kind: number): boolean {
  return mask === null || (mask & (1 << kind)) !== 0;
}

function at<T>(words: readonly T[], index: number): T {
  const word = words[index];
  if (word === undefined) throw new RangeError(`unknown number ${index} in a stored row`);
  return word;
}
