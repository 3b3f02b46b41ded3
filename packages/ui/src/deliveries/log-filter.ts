import type { Delivery, DeliveryFilter } from "@markethook/client";

/** The filter of the log. It is in the address, so that going back restores it. */
export interface LogFilter {
  resourceId?: string;
  webhookId?: string;
  event?: NonNullable<DeliveryFilter["event"]>;
  state?: NonNullable<DeliveryFilter["state"]>;
  /** HTTP status of the last attempt. */
  status?: number;
  /** Its first digit. */
  statusClass?: number;
  /** Unix seconds. */
  from?: number;
  to?: number;
  userId?: number;
  /** Id of a delivery or an event, or a text. */
  search?: string;
}

/** The end of the year 9999, as the service takes it. */
const LAST_SECOND = 253_402_300_799;

/** Characters, as the service counts them: an emoji is one. */
const LEAST_SOUGHT = 2;

export function isLongEnough(sought: string): boolean {
  return [...sought].length >= LEAST_SOUGHT;
}

export const STATE_CHOICES = [
  "delivered",
  "pending",
  "waiting",
  "leased",
  "held",
  "dead",
  "cancelled",
] as const;

export function readFilter(search: Record<string, unknown>): LogFilter {
  const filter: LogFilter = {};
  const { resourceId, webhookId, event, state, status, statusClass, from, to, userId } = search;
  const { search: text } = search;
  if (typeof resourceId === "string") filter.resourceId = resourceId;
  if (typeof webhookId === "string") filter.webhookId = webhookId;
  // A made-up name is refused by the service, with a sentence.
  if (typeof event === "string") filter.event = event as NonNullable<LogFilter["event"]>;
  if (STATE_CHOICES.some((choice) => choice === state)) {
    filter.state = state as NonNullable<LogFilter["state"]>;
  }
  // A value that the service would refuse narrows nothing.
  if (isWithin(status, 100, 599)) filter.status = status;
  if (isWithin(statusClass, 1, 5)) filter.statusClass = statusClass;
  if (isWithin(from, 0, LAST_SECOND)) filter.from = from;
  if (isWithin(to, 0, LAST_SECOND)) filter.to = to;
  if (isWithin(userId, 0)) filter.userId = userId;
  if (typeof text === "string" || typeof text === "number") {
    const trimmed = String(text).trim();
    if (isLongEnough(trimmed)) filter.search = trimmed;
  }
  return filter;
}

function isWithin(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** The buyer to whom the list of events is narrowed. */
export function readBuyer(search: Record<string, unknown>): { userId?: number } {
  const { userId } = readFilter(search);
  return userId === undefined ? {} : { userId };
}

/** The delivery that is shown next to the log, where there is room for both. */
export function readOpen({ open }: Record<string, unknown>): { open?: string } {
  return typeof open === "string" ? { open } : {};
}

/** The filter with another range of times; null: with none. */
export function withTimes(
  filter: LogFilter,
  range: { from: number; to: number } | null,
): LogFilter {
  const { from: _from, to: _to, ...rest } = filter;
  return range === null ? rest : { ...rest, ...range };
}

/** Whether anything was chosen. In the log of one webhook, `webhookId` was not chosen but given. */
export function isNarrowed(filter: LogFilter, ofAll = false): boolean {
  return Object.keys(filter).some((name) => ofAll || name !== "webhookId");
}

/** Whether a delivery that arrived just now belongs into the log as it is narrowed. */
export function matches(delivery: Delivery, filter: LogFilter): boolean {
  const createdAt = Date.parse(delivery.createdAt) / 1000;
  return (
    (filter.resourceId === undefined || delivery.resourceId === filter.resourceId) &&
    (filter.webhookId === undefined || delivery.webhookId === filter.webhookId) &&
    (filter.event === undefined || delivery.event === filter.event) &&
    (filter.state === undefined || delivery.state === filter.state) &&
    (filter.status === undefined || delivery.lastStatus === filter.status) &&
    (filter.statusClass === undefined ||
      Math.floor((delivery.lastStatus ?? 0) / 100) === filter.statusClass) &&
    (filter.from === undefined || createdAt >= filter.from) &&
    (filter.to === undefined || createdAt < filter.to) &&
    (filter.userId === undefined || delivery.userId === filter.userId) &&
    (filter.search === undefined || isSought(delivery, filter.search))
  );
}

/** Compares what a row of the log has. Only the service can search payloads and replies. */
function isSought(delivery: Delivery, text: string): boolean {
  const { id, eventId, userId, details, version } = delivery;
  if ([id, eventId].includes(text)) return true;
  const told = typeof details === "object" && details !== null ? Object.values(details) : [];
  const sought = text.toLowerCase();
  return [userId, version, ...told].some((value) =>
    String(value ?? "")
      .toLowerCase()
      .includes(sought),
  );
}

/** Reads the id of a user from a text, such as an owner's id. Null: the text is no such id. */
export function readUserId(text: string | null | undefined): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text ?? "") && Number.isSafeInteger(id) ? id : null;
}
