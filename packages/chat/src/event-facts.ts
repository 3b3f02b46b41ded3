import type { EventName } from "@markethook/protocol";
import { isObject, jsonObject } from "@markethook/protocol/json-object";
import { cleanLine, cleanText } from "./clean-text.ts";

/** The facts of an event for a message: the payload, and the details next to it. */
export interface EventFacts {
  name: EventName;
  /** Unix seconds. */
  time: number;
  /** JSON text, as the specification writes the event's payload. */
  payload: string;
  /** JSON text of `details` as reported; null: none, or erased. */
  details: string | null;
  /** For the message's footer. */
  serviceName: string;
}

/** The purchase that a refund or chargeback takes back. */
export interface SaleFacts {
  messageId: string;
  facts: EventFacts;
}

export type Removal = "refund" | "chargeback" | "removed";

/** An event's facts, cleaned and not yet escaped; null or empty where nothing is known. */
export interface ReadFacts {
  resource: string;
  subtitle: string;
  url: unknown;
  userId: string;
  buyer: string;
  amount: string;
  currency: string;
  order: string;
  reason: string;
  removal: Removal;
  version: string;
  previousVersion: string;
  branch: string;
  size: string;
  updateTitle: string;
  updateText: string;
  /** In UTC. */
  time: string;
  /** RFC 3339; null: outside of the years that can be written so. */
  timestamp: string | null;
  serviceName: string;
}

export function readFacts(facts: EventFacts): ReadFacts {
  const payload = jsonObject(facts.payload) ?? {};
  const product = member(payload, "product");
  const update = member(payload, "update");
  const details = jsonObject(facts.details ?? "") ?? {};
  const timestamp = timestampOf(facts.time);
  const reason = line(details["reason"]);
  return {
    resource: line(product["title"]) || line(product["id"]) || "Untitled resource",
    subtitle: line(product["subtitle"]),
    url: product["url"],
    userId: line(member(payload, "user")["id"]),
    buyer: line(details["buyerName"]),
    amount: line(details["amount"]),
    currency: line(details["currency"]),
    order: line(details["orderId"]),
    reason,
    removal: removalOf(reason),
    version: line(update["version"]),
    previousVersion: line(member(payload, "previous")["version"]),
    branch: line(update["branch"]),
    size: sizeOf(update["size"]),
    updateTitle: line(update["title"]),
    updateText: cleanText(textOf(update["description"])),
    time: timestamp === null ? "" : `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`,
    timestamp,
    serviceName: cleanLine(facts.serviceName),
  };
}

/** By the marketplace's own word. Only the two words that everybody knows count. */
function removalOf(reason: string): Removal {
  if (/^refund/i.test(reason)) return "refund";
  return /^(charge-?\s?back|dispute)/i.test(reason) ? "chargeback" : "removed";
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `1.2 MB`; powers of 1000, as browsers and shops write them. */
function sizeOf(value: unknown): string {
  const digits = line(value);
  if (!/^\d{1,15}$/.test(digits)) return "";
  let size = Number(digits);
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** Seconds of the year 9999's end. */
const LAST_SECOND = 253_402_300_799;

function timestampOf(time: number): string | null {
  if (!Number.isFinite(time) || time < 0 || time > LAST_SECOND) return null;
  return new Date(Math.floor(time) * 1000).toISOString();
}

function line(value: unknown): string {
  return cleanLine(textOf(value));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
}

type Members = Readonly<Record<string, unknown>>;

function member(of: Members, name: string): Members {
  const value = Object.hasOwn(of, name) ? of[name] : null;
  return isObject(value) ? value : {};
}
