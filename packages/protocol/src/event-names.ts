/**
 * The specification's event names. `ping` is only ever sent by the ping button. Rows store a name as its position: only
 * append, never reorder.
 */
export const EVENT_NAMES = [
  "ping",
  "product.update",
  "product.user.purchase",
  "product.user.purchaseRemoved",
  "product.user.firstDownload",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/**
 * The member of an event's payload, next to the product, that says what the event is about. Events about one subject have
 * the same members: an event with a member of its own has a subject of its own.
 */
export const EVENT_SUBJECTS = {
  ping: "webhook",
  "product.update": "update",
  "product.user.purchase": "user",
  "product.user.purchaseRemoved": "user",
  "product.user.firstDownload": "user",
} as const satisfies Record<EventName, string>;

export type EventSubject = (typeof EVENT_SUBJECTS)[EventName];
/** The subjects of the events that a marketplace reports. */
export type ReportedSubject = (typeof EVENT_SUBJECTS)[ReportedEventName];

/** The events a marketplace reports and an owner can choose: everything but `ping`. */
export const REPORTED_EVENT_NAMES = EVENT_NAMES.slice(1) as Exclude<EventName, "ping">[];
export type ReportedEventName = Exclude<EventName, "ping">;

/**
 * The specification's format block calls `product.update` by this name.
 * Accepted when receiving, never sent.
 */
export const UPDATE_ALIAS = "resource.update";

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);

export function isEventName(name: string): name is EventName {
  return KNOWN.has(name);
}
