import {
  eventId,
  type FileVersion,
  type PreviousFileVersion,
  type UpdatePayload,
} from "@markethook/protocol";
import type { AcceptResult, Refused } from "../port/events.ts";
import type {
  AcceptTransaction,
  DedupeKeyRow,
  EventRow,
  KeyRow,
  PreparedItem,
} from "./accept-transaction.ts";
import type { Draft } from "./draft.ts";
import { mustGet } from "./must-get.ts";

/** Body hash of a key whose event was erased: the report is not known any more, but a repeat is still a repeat. */
export const ERASED_HASH = "";

/**
 * Keys and first downloads of a batch. All are claimed at once, each for the first item that names it, because a
 * multi-row insert with the same key twice would fail. Then the items are judged one by one, in order:
 *
 * free --an item that names it is stored--> won by that item
 * free --no item that names it is stored--> given back
 * stored before, or won by an earlier item --> every item that names it is a duplicate
 */
export async function claimKnown(tx: AcceptTransaction, drafts: readonly Draft[]) {
  const claims = new Claims<KeyRow>();
  const downloads = new Claims<DedupeKeyRow>();
  for (const { keys, dedupeKey } of drafts) {
    for (const row of keys) claims.want(row.key, row);
    if (dedupeKey !== null) downloads.want(dedupeKey.dedupeKey, dedupeKey);
  }
  if (!claims.empty) claims.met(await tx.claimKeys(claims.sorted()), (row) => row.key);
  if (!downloads.empty)
    downloads.met(await tx.claimDedupeKeys(downloads.sorted()), (row) => row.dedupeKey);
  const again = drafts.flatMap(({ updateKey }) =>
    updateKey === null ? [] : (claims.known(updateKey)?.eventSeq ?? []),
  );
  /** Stored payloads of updates that the batch reports again, by the number of the event. */
  const payloads: Map<number, string> =
    again.length === 0 ? new Map() : await tx.payloads([...new Set(again)]);

  return {
    /** Null: none of its keys is known. */
    judge({ item, keys, updateKey, dedupeKey }: Draft): AcceptResult | null {
      for (const row of keys) {
        const known = claims.known(row.key);
        if (known === null) continue;
        if (row.key === updateKey) {
          return updateIdReused(item, payloads.get(known.eventSeq)) ?? duplicateOf(known);
        }
        if (known.bodyHash !== row.bodyHash && known.bodyHash !== ERASED_HASH) {
          return { kind: "rejected", code: "idempotency_key_reused" };
        }
        return duplicateOf(known);
      }
      const known = dedupeKey === null ? null : downloads.known(dedupeKey.dedupeKey);
      return known === null ? null : duplicateOf(known);
    },
    win({ keys, updateKey, dedupeKey }: Draft, { seq, payload }: EventRow): void {
      for (const row of keys) claims.win(row.key, row);
      if (updateKey !== null) payloads.set(seq, payload);
      if (dedupeKey !== null) downloads.win(dedupeKey.dedupeKey, dedupeKey);
    },
    /** Deletes keys that no item won, and stores the winner of keys that were claimed for another item. */
    async finish(): Promise<void> {
      const keys = claims.misplaced();
      if (keys.lost.length > 0) await tx.dropKeys(keys.lost);
      if (keys.moved.length > 0) await tx.claimKeys(keys.moved);
      const dedupeKeys = downloads.misplaced();
      if (dedupeKeys.lost.length > 0) await tx.dropDedupeKeys(dedupeKeys.lost);
      if (dedupeKeys.moved.length > 0) await tx.claimDedupeKeys(dedupeKeys.moved);
    },
  };
}

/** A key or a first download that the batch names. */
interface Claim<Row> {
  name: string;
  /** The item for which it was inserted; null: it existed before. */
  claimed: Row | null;
  /** The event that has it: stored before, or of this batch. */
  known: Row | null;
}

/**
 * One entry per name. A map for each question would cost more: names are random texts, and finding one takes longer
 * than a question.
 */
class Claims<Row extends { eventSeq: number }> {
  readonly #claims = new Map<string, Claim<Row>>();

  get empty(): boolean {
    return this.#claims.size === 0;
  }

  want(name: string, row: Row): void {
    if (this.#claims.has(name)) return;
    this.#claims.set(name, { name, claimed: row, known: null });
  }

  sorted(): Row[] {
    return [...this.#claims.values()].sort(byName).flatMap(({ claimed }) => claimed ?? []);
  }

  /** Marks the names that existed before. */
  met(rows: readonly Row[], name: (row: Row) => string): void {
    for (const row of rows) {
      const claim = mustGet(this.#claims, name(row));
      claim.claimed = null;
      claim.known = row;
    }
  }

  known(name: string): Row | null {
    return mustGet(this.#claims, name).known;
  }

  win(name: string, row: Row): void {
    mustGet(this.#claims, name).known = row;
  }

  /** Names that were claimed for another item than their winner, or for one that is not stored. */
  misplaced(): { lost: string[]; moved: Row[] } {
    const wrong = [...this.#claims.values()]
      .filter(({ claimed, known }) => claimed !== null && known?.eventSeq !== claimed.eventSeq)
      .sort(byName);
    return {
      lost: wrong.map(({ name }) => name),
      moved: wrong.flatMap(({ known }) => known ?? []),
    };
  }
}

/** Unsorted multi-row writes of concurrent transactions deadlock. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function duplicateOf({ eventSeq, tag }: { eventSeq: number; tag: string }): AcceptResult {
  return { kind: "duplicate", eventId: eventId({ seq: eventSeq, tag }) };
}

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
function updateIdReused(item: PreparedItem, stored: string | undefined): Refused | null {
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
