import type { FileVersion, PreviousFileVersion, UpdatePayload } from "@markethook/protocol";
import type { Refused } from "../port/events.ts";
import type { PreparedItem } from "./accept-transaction.ts";

const VERSION = [
  "version",
  "id",
  "size",
  "fileType",
  "branch",
] as const satisfies readonly (keyof PreviousFileVersion)[];
const UPDATE = [
  ...VERSION,
  "title",
  "description",
] as const satisfies readonly (keyof FileVersion)[];

/**
 * Says why an update with a known id is not a repeat of the stored one; null: it is a repeat. Parts that the report
 * leaves out do not differ. If the stored event was pruned, there is nothing to compare with.
 */
export function updateIdReused(item: PreparedItem, stored: string | undefined): Refused | null {
  if (item.update === undefined || stored === undefined) return null;
  const different = differences(item, item.update, JSON.parse(stored) as UpdatePayload); // We wrote it.
  if (different.length === 0) return null;
  return {
    kind: "rejected",
    code: "update_id_reused",
    detail: `The stored update ${item.update.id} has another ${list(different)}.`,
  };
}

function differences(
  { previous, updateTimeIsDefault }: PreparedItem,
  update: FileVersion,
  stored: UpdatePayload,
): string[] {
  const different = UPDATE.filter((name) => update[name] !== stored.update[name]).map(
    (name) => `\`update.${name}\``,
  );
  if (updateTimeIsDefault !== true && update.time !== stored.update.time) {
    different.push("`update.time`");
  }
  if (previous !== undefined) {
    for (const name of [...VERSION, "time"] as const) {
      if (previous[name] !== stored.previous[name]) different.push(`\`previous.${name}\``);
    }
  }
  return different;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
