import {
  EVENT_SUBJECTS,
  LIMITS,
  previousVersion,
  product,
  updatePayload,
  userPayload,
  type PreviousFileVersion,
} from "@markethook/protocol";
import type { BroughtResource, Refused } from "../port/events.ts";
import type { EventRow, PreparedItem, ResourceRow } from "./accept-transaction.ts";
import type { Draft } from "./draft.ts";
import { kindOf } from "./kinds.ts";
import { mustGet } from "./must-get.ts";

/** Resources after each item of the batch, so that several updates in one batch follow each other. */
export class ResourceState {
  readonly owners = new Map<string, string>();
  readonly #rows = new Map<string, ResourceRow>();
  readonly #changed = new Set<string>();

  constructor(rows: readonly ResourceRow[]) {
    for (const row of rows) {
      this.#rows.set(row.id, row);
      this.owners.set(row.id, row.ownerId);
    }
  }

  /** A refused item changes nothing, not even the resource that it brought along. */
  apply(one: Draft, baseUrl: string): EventRow | Refused | "owner_changes" {
    const { item } = one;
    const before = this.#rows.get(item.resourceId);
    if (changesOwner(item, before)) return "owner_changes";
    const row = broughtAlong(item, before);
    if (row === undefined) return refused("resource_unknown");
    const payload = payloadOf(item, row, baseUrl);
    if (typeof payload !== "string") return payload;
    const { update } = item;
    const after = update === undefined ? row : { ...row, fileVersion: previousVersion(update) };
    if (after !== before) {
      this.#rows.set(after.id, after);
      this.owners.set(after.id, after.ownerId);
      this.#changed.add(after.id);
    }
    return {
      seq: one.seq,
      tag: item.tag,
      resourceId: row.id,
      kind: kindOf(item.name),
      time: item.time,
      userId: item.userId ?? null,
      payload,
      details: item.details ?? null,
    };
  }

  changed(): ResourceRow[] {
    return [...this.#changed].sort().map((id) => mustGet(this.#rows, id));
  }
}

/** The JSON text of the event's payload. */
function payloadOf(item: PreparedItem, row: ResourceRow, baseUrl: string): string | Refused {
  const of = product(baseUrl, row);
  switch (EVENT_SUBJECTS[item.name]) {
    case "user":
      return JSON.stringify(userPayload(of, needed(item.userId)));
    case "update": {
      const update = needed(item.update);
      const previous = item.previous ?? row.fileVersion;
      if (previous === null) return refused("previous_unknown");
      if (item.previous === undefined && previous.id === update.id) {
        return refused(
          "previous_unknown",
          `The known file version has the id ${update.id} too, so it is not the one before.`,
        );
      }
      const payload = JSON.stringify(updatePayload(of, previous, update));
      // Together they are what a webhook may get.
      const bytes = Buffer.byteLength(payload) + Buffer.byteLength(item.details ?? "");
      return bytes > LIMITS.eventBytes ? refused("event_too_large") : payload;
    }
  }
}

/** Returns a member that the API demands of each event about this subject. */
function needed<T>(member: T | undefined): T {
  if (member === undefined) throw new Error("the event lacks what it is about");
  return member;
}

function changesOwner({ resource }: PreparedItem, before: ResourceRow | undefined): boolean {
  return before !== undefined && resource !== undefined && before.ownerId !== resource.ownerId;
}

/** Returns the resource with the item's changes; unchanged, if the item brings nothing new. */
function broughtAlong(
  { resourceId, resource, update }: PreparedItem,
  before: ResourceRow | undefined,
): ResourceRow | undefined {
  if (resource === undefined) return before;
  const subtitle = resource.subtitle ?? before?.subtitle ?? "";
  const fileVersion = broughtVersion(resource, update?.id) ?? before?.fileVersion ?? null;
  if (
    before?.title === resource.title &&
    before.subtitle === subtitle &&
    isSameVersion(before.fileVersion, fileVersion)
  ) {
    return before;
  }
  return {
    id: resourceId,
    ownerId: resource.ownerId,
    title: resource.title,
    subtitle,
    fileVersion,
  };
}

/**
 * A marketplace that has stored an update already sends it as the current version. That is not the version before it.
 */
function broughtVersion(
  { fileVersion }: BroughtResource,
  updateId: string | undefined,
): PreviousFileVersion | undefined {
  return fileVersion?.id === updateId ? undefined : fileVersion;
}

function isSameVersion(
  one: PreviousFileVersion | null,
  other: PreviousFileVersion | null,
): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function refused(code: Refused["code"], detail?: string): Refused {
  return { kind: "rejected", code, ...(detail === undefined ? {} : { detail }) };
}
