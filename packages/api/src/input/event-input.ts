import {
  EVENT_SUBJECTS,
  LIMITS,
  makeTag,
  type ErrorCode,
  type FileVersion,
  type PreviousFileVersion,
  type RandomBytes,
  type ReportedSubject,
} from "@markethook/protocol";
import type { AcceptItem } from "@markethook/store";
import type { Static } from "typebox";
import type { CommonMember, EventBody } from "../schemas/event.ts";
import type { FileVersionInput } from "../schemas/resource.ts";
import { bodyHash } from "./body-hash.ts";

export type EventInput = Static<typeof EventBody>;

export interface Rejection {
  code: ErrorCode;
  detail?: string;
  /** Pointer within the event. */
  pointer?: string;
}

export function isRejection(item: object): item is Rejection {
  return "code" in item;
}

export interface ItemContext {
  /** Unix seconds. */
  now: number;
  randomBytes: RandomBytes;
}

/** JSON of a string is at most six times as long as the string. The rest of an event has at most this many bytes. */
const JSON_GROWTH = 6;
const REST_BYTES = 48 * 1024;

/** Converts a reported event of a checked form for the store, or says why it cannot. */
export function toAcceptItem(
  resourceId: string,
  input: EventInput,
  idempotencyKey: string | undefined,
  context: ItemContext,
): AcceptItem | Rejection {
  const rejection = checkMembers(input) ?? checkTime(input, context.now) ?? checkSize(input);
  if (rejection !== null) return rejection;

  const time = input.occurredAt ?? context.now;
  const item: AcceptItem = {
    resourceId,
    name: input.event,
    time,
    tag: makeTag(context.randomBytes),
  };
  if (input.resource !== undefined) {
    const { fileVersion, ...resource } = input.resource;
    item.resource = resource;
    if (fileVersion !== undefined) item.resource.fileVersion = toFileVersion(fileVersion);
  }
  // Adding zero turns -0, which no database has, into 0.
  if (input.user !== undefined) item.userId = input.user.id + 0;
  if (input.update !== undefined) {
    item.update = updateVersion(input.update, time);
    if (input.update.time === undefined) item.updateTimeIsDefault = true;
  }
  if (input.previous !== undefined) item.previous = toFileVersion(input.previous);
  if (input.details !== undefined) {
    const { buyerName, amount, currency, orderId, reason } = input.details;
    item.details = JSON.stringify({ buyerName, amount, currency, orderId, reason });
  }
  if (idempotencyKey !== undefined) {
    item.idempotency = { key: idempotencyKey, bodyHash: bodyHash(resourceId, input, item) };
  }
  return item;
}

/** Returns a reported file version, complete and with its members in the specification's order. */
export function toFileVersion(input: Static<typeof FileVersionInput>): PreviousFileVersion {
  return {
    version: input.version,
    id: input.id,
    time: input.time,
    size: String(input.size),
    fileType: input.fileType,
    branch: input.branch ?? "release",
  };
}

function updateVersion(input: NonNullable<EventInput["update"]>, time: number): FileVersion {
  return {
    ...toFileVersion({ ...input, time: input.time ?? time }),
    title: input.title,
    description: input.description,
  };
}

type SubjectMember = Exclude<keyof EventInput, CommonMember>;

/** Whether an event about a subject must or may have a member that not all events have. */
const MEMBERS: Readonly<
  Record<SubjectMember, Partial<Record<ReportedSubject, "needed" | "allowed">>>
> = {
  user: { user: "needed" },
  update: { update: "needed" },
  previous: { update: "allowed" },
};
const MEMBER_RULES = Object.entries(MEMBERS) as [SubjectMember, (typeof MEMBERS)[SubjectMember]][]; // Object.entries loses the names.

function checkMembers(input: EventInput): Rejection | null {
  const subject = EVENT_SUBJECTS[input.event];
  let unknown: SubjectMember | null = null;
  for (const [name, { [subject]: rule }] of MEMBER_RULES) {
    const has = input[name] !== undefined;
    if (rule === "needed" && !has) {
      return {
        code: "field_invalid",
        pointer: `/${name}`,
        detail: `${input.event} needs \`${name}\`.`,
      };
    }
    if (rule === undefined && has) unknown ??= name;
  }
  if (unknown === null) return null;
  return {
    code: "field_unknown",
    pointer: `/${unknown}`,
    detail: `${input.event} has no such field.`,
  };
}

function checkTime(input: EventInput, now: number): Rejection | null {
  if (input.occurredAt === undefined || input.occurredAt <= now + LIMITS.futureSeconds) return null;
  return { code: "occurred_at_in_future", pointer: "/occurredAt" };
}

/** Only a long description can make an event too large; the schema limits everything else. */
function checkSize(input: EventInput): Rejection | null {
  const longest = (input.update?.description.length ?? 0) * JSON_GROWTH + REST_BYTES;
  return longest > LIMITS.eventBytes && isTooLarge(input) ? { code: "event_too_large" } : null;
}

/** True for a reported event of any form whose JSON is larger than an event may be. */
export function isTooLarge(input: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(input)) > LIMITS.eventBytes;
}
