import { hash } from "node:crypto";
import { isObject, type PreviousFileVersion } from "@markethook/protocol";
import type { AcceptItem } from "@markethook/store";
import type { Static } from "typebox";
import type { EventBody } from "../schemas/event.ts";

/** The members of a report that have their place in the hash below, or do not count. */
interface Listed {
  readonly [name: string]: true | Listed;
}

const VERSION = {
  version: true,
  id: true,
  time: true,
  size: true,
  fileType: true,
  branch: true,
} as const;

const LISTED = {
  event: true,
  occurredAt: true,
  user: { id: true },
  update: { ...VERSION, title: true, description: true },
  previous: VERSION,
  details: { buyerName: true, amount: true, currency: true, orderId: true, reason: true },
  // Counts as the hash's first element.
  resourceId: true,
  // The resource's current names, and the key itself, do not count.
  resource: true,
  idempotencyKey: true,
} as const;

/**
 * Makes the text by which a repeated idempotency key is compared: the content of the report, without its form (order of
 * members, digits or number) and without the resource's current names. Times count only if they were given, because
 * their default is the clock's.
 *
 * Hashes are stored, and compared after an upgrade: the first seven elements never change. A member that came later is
 * not listed above, and counts as part of an eighth element, which reports without such a member do not have.
 */
export function bodyHash(
  resourceId: string,
  input: Static<typeof EventBody>,
  item: AcceptItem,
): string {
  const { update, previous } = item;
  const canonical: unknown[] = [
    resourceId,
    item.name,
    item.userId ?? null,
    update === undefined
      ? null
      : [...versionMembers(update), input.update?.time ?? null, update.title, update.description],
    previous === undefined ? null : [...versionMembers(previous), previous.time],
    input.occurredAt ?? null,
    item.details ?? null,
  ];
  const later: [string, unknown][] = [];
  findUnlisted(input, LISTED, "", later);
  if (later.length > 0) canonical.push(later.sort(([one], [other]) => (one < other ? -1 : 1)));
  return hash("sha256", JSON.stringify(canonical), "base64");
}

function versionMembers(version: PreviousFileVersion): string[] {
  return [version.version, version.id, version.size, version.fileType, version.branch];
}

function findUnlisted(
  of: Readonly<Record<string, unknown>>,
  listed: Listed,
  path: string,
  found: [string, unknown][],
): void {
  for (const name of Object.keys(of)) {
    const known = listed[name];
    const value = of[name];
    if (known === true || value === undefined) continue;
    if (isObject(value)) findUnlisted(value, known ?? {}, `${path}/${name}`, found);
    else found.push([`${path}/${name}`, value]);
  }
}
