import { LIMITS } from "@markethook/protocol";
import { Type } from "typebox";
import {
  closed,
  code,
  ImportedSecret,
  Instant,
  model,
  oneOf,
  OwnerId,
  PRINTABLE,
  ResourceId,
  UnixSeconds,
} from "./fields.ts";
import { rejection } from "./event.ts";
import { FileVersionInput, ResourceItem } from "./resource.ts";
import { WebhookBody } from "./webhook.ts";

export const ResourceRecord = closed(
  { kind: oneOf(["resource"]), ...ResourceItem.properties, ownerId: OwnerId },
  { description: "`fileVersion` is the current one, unless a newer one is known" },
);

export const WebhookRecord = closed({
  kind: oneOf(["webhook"]),
  resourceId: ResourceId,
  importId: Type.Optional(
    Type.String({
      pattern: PRINTABLE,
      description:
        "Its id in the earlier system, by which a later import finds it again. Left out: it is found by its URL and secret",
    }),
  ),
  ...WebhookBody.properties,
  secret: Type.Optional(
    Type.String({
      ...ImportedSecret,
      description:
        "Used unchanged. May be left out with the URL of a chat, where nothing is signed",
    }),
  ),
  state: Type.Optional(oneOf(["active", "paused"], { default: "active" })),
  createdAt: Type.Optional(Instant),
});

export const FirstDownloadRecord = closed(
  {
    kind: oneOf(["firstDownload"]),
    resourceId: ResourceId,
    userId: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      ...code("user_id_not_integer"),
    }),
    at: Type.Optional(
      Type.Integer({
        ...UnixSeconds,
        description: "Unix seconds. Not stored; only the fact is kept",
      }),
    ),
  },
  { description: "The event will not be sent for this user" },
);

export const FileVersionRecord = closed(
  { kind: oneOf(["fileVersion"]), resourceId: ResourceId, ...FileVersionInput.properties },
  { description: "Becomes the current one if it is newer than that" },
);

export const RECORD_KINDS = {
  resource: ResourceRecord,
  webhook: WebhookRecord,
  firstDownload: FirstDownloadRecord,
  fileVersion: FileVersionRecord,
} as const;

const records = { minItems: 1, maxItems: LIMITS.batchItems };
const dryRun = Type.Optional(
  Type.Boolean({ default: false, description: "The same answers, and nothing is changed" }),
);

export const ImportBody = closed({
  records: Type.Array(Type.Union(Object.values(RECORD_KINDS)), records),
  dryRun,
});

/** Schema of a request as a whole; its records are checked one by one. */
export const LooseImportBody = closed({ records: Type.Array(Type.Unknown(), records), dryRun });

export const ImportResultView = model("ImportResult", {
  status: Type.String({
    enum: ["created", "updated", "unchanged", "rejected"],
    description: "Unchanged: imported before, or nothing in it is new",
  }),
  webhookId: Type.Optional(
    Type.String({
      description: "The id that a stored webhook has in this service",
    }),
  ),
  ...rejection,
});
