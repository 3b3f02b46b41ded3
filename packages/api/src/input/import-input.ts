import {
  givenFields,
  isMarkethookError,
  isObject,
  LIMITS,
  makeRandomId,
  makeSecret,
  WEBHOOK_ID_PREFIX,
} from "@markethook/protocol";
import type { ImportedWebhook, ImportRecord } from "@markethook/store";
import type { Static } from "typebox";
import { toFileVersion, type ItemContext, type Rejection } from "./event-input.ts";
import {
  RECORD_KINDS,
  type FileVersionRecord,
  type FirstDownloadRecord,
  type ResourceRecord,
  type WebhookRecord,
} from "../schemas/import.ts";
import { chatOf } from "../views/receiver-format.ts";
import { findTextFault } from "../request/text-fault.ts";
import { createItemCheck, type ItemCheck } from "../request/validation.ts";
import { type Address, addressOf, defaultEvents } from "./webhook-input.ts";

type RecordInput =
  | Static<typeof ResourceRecord>
  | Static<typeof WebhookRecord>
  | Static<typeof FirstDownloadRecord>
  | Static<typeof FileVersionRecord>;

const checks = new Map<unknown, ItemCheck>(
  Object.entries(RECORD_KINDS).map(([kind, schema]) => [kind, createItemCheck(schema)]),
);

/** Converts an imported record for the store, or says why it cannot. */
export function toImportRecord(
  value: unknown,
  suspicious: boolean,
  context: ItemContext,
): ImportRecord | Rejection {
  const textFault = suspicious ? findTextFault(value) : null;
  if (textFault !== null) return textFault;
  const faultOf = checks.get(kindOf(value));
  if (faultOf === undefined) {
    const kinds = Object.keys(RECORD_KINDS).join(", ");
    return { code: "field_invalid", pointer: "/kind", detail: `\`kind\` must be one of ${kinds}.` };
  }
  const fault = faultOf(value);
  if (fault !== null) return fault;
  // The check of its kind has just confirmed it.
  return toRecord(value as RecordInput, context);
}

function kindOf(value: unknown): unknown {
  return isObject(value) ? value["kind"] : undefined;
}

function toRecord(input: RecordInput, context: ItemContext): ImportRecord | Rejection {
  switch (input.kind) {
    case "resource": {
      const { id, ownerId, title, subtitle, fileVersion } = input;
      return {
        kind: "resource",
        id,
        ownerId,
        title,
        subtitle: subtitle ?? "",
        ...(fileVersion === undefined ? {} : { fileVersion: toFileVersion(fileVersion) }),
      };
    }
    case "webhook":
      return toWebhook(input, context);
    case "firstDownload":
      // Adding zero turns -0, which is the same user, into 0.
      return {
        kind: "firstDownload",
        resourceId: input.resourceId,
        userId: input.userId + 0,
      };
    case "fileVersion":
      return {
        kind: "fileVersion",
        resourceId: input.resourceId,
        fileVersion: toFileVersion(input),
      };
  }
}

function toWebhook(
  input: Static<typeof WebhookRecord>,
  { now, randomBytes }: ItemContext,
): ImportedWebhook | Rejection {
  const createdAt = input.createdAt === undefined ? undefined : Date.parse(input.createdAt);
  const latest = (now + LIMITS.futureSeconds) * 1000;
  // Also for a text that is no time.
  if (createdAt !== undefined && !(createdAt >= 0 && createdAt <= latest)) {
    return {
      code: "field_invalid",
      pointer: "/createdAt",
      detail: "The time must lie between 1970 and now.",
    };
  }
  const chat = chatOf(input.url);
  if (chat !== null && "fault" in chat) {
    return { code: chat.code, pointer: "/url", detail: chat.fault };
  }
  if (chat === null && input.secret === undefined) {
    return { code: "secret_invalid", pointer: "/secret", detail: "This field is required." };
  }
  const address = addressOrRefusal(() => addressOf(input.url, chat, input.chat));
  if ("code" in address) return address;
  return {
    kind: "webhook",
    newId: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
    resourceId: input.resourceId,
    ...(input.importId === undefined ? {} : { importId: input.importId }),
    ...address,
    ...givenFields({ events: defaultEvents(chat), ...input }),
    ...(input.secret === undefined
      ? { secret: makeSecret(randomBytes), secretMade: true }
      : { secret: input.secret }),
    state: input.state ?? "active",
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

function addressOrRefusal(address: () => Address): Address | Rejection {
  try {
    return address();
  } catch (error) {
    if (!isMarkethookError(error)) throw error;
    return { code: error.code, ...error.detail };
  }
}
