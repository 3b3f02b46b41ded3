import { LIMITS, RESOURCE_ID_PATTERN } from "@markethook/protocol";
import { Type } from "typebox";
import { closed, Instant, model, nullable, OwnerId, ResourceId, UnixSeconds } from "./fields.ts";

/** Digits are sent as they are; a number must be exact. */
const Size = Type.Union(
  [
    Type.String({ pattern: "^[0-9]{1,20}$" }),
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  { description: "Bytes; digits or an integer, sent as digits" },
);

const label = Type.String({ minLength: 1, maxLength: LIMITS.shortLabelLength });

export const fileVersionMembers = {
  version: Type.String({ minLength: 1, maxLength: LIMITS.versionLength }),
  id: Type.String({
    pattern: RESOURCE_ID_PATTERN,
    description: "Of the update's own record, in the form of a resource id",
  }),
  size: Size,
  fileType: label,
  branch: Type.Optional(Type.String({ ...label, default: "release" })),
};

/** A file version as `previous` describes it. */
export const FileVersionInput = closed({ ...fileVersionMembers, time: UnixSeconds });

export const title = Type.String({ minLength: 1, maxLength: LIMITS.titleLength });
export const subtitle = Type.Optional(
  Type.String({
    maxLength: LIMITS.subtitleLength,
    description: "Left out, the known one stays; a new resource has an empty one",
  }),
);

export const ResourceBody = closed({
  title,
  subtitle,
  ownerId: OwnerId,
  fileVersion: Type.Optional(FileVersionInput),
});

export const ResourceItem = closed({ id: ResourceId, ...ResourceBody.properties });

export const ResourceView = model("Resource", {
  id: Type.String(),
  ownerId: Type.String(),
  title: Type.String(),
  subtitle: Type.String(),
  url: Type.String({ description: "Of the resource's page, as in payloads" }),
  fileVersion: nullable(
    Type.Object({
      version: Type.String(),
      id: Type.String(),
      time: Type.Integer(),
      size: Type.String(),
      fileType: Type.String(),
      branch: Type.String(),
    }),
  ),
  createdAt: Instant,
  updatedAt: Instant,
});

export const PutResult = Type.Object({
  id: Type.String(),
  status: Type.String({ enum: ["created", "updated"] }),
});
