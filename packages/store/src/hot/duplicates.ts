import { eventId } from "@markethook/protocol";
import type { AcceptResult } from "../port/events.ts";
import type { AcceptTransaction, FactRow, KeyRow } from "./accept-transaction.ts";
import type { Draft } from "./draft.ts";
import { mustGet } from "./must-get.ts";

/**
 * Claims keys and facts, first folding those that stand twice in the batch: a multi-row insert that meets itself
 * would fail. Later ones of a batch get their result from the first in `copyFolded`.
 */
export async function settleDuplicates(
  tx: AcceptTransaction,
  drafts: readonly Draft[],
): Promise<void> {
  const firstByKey = new Map<string, Draft>();
  const firstByFact = new Map<string, Draft>();
  const keys: KeyRow[] = [];
  for (const one of drafts) {
    for (const row of one.keys) {
      if (firstByKey.has(row.key)) one.first = mustGet(firstByKey, row.key);
      else firstByKey.set(row.key, one);
    }
    if (one.first === null) keys.push(...one.keys);
  }
  const bySeq = new Map(drafts.map((one) => [one.seq, one]));
  const lost = new Set<number>();
  for (const row of keys.length > 0 ? await tx.claimKeys(sortBy(keys, (row) => row.key)) : []) {
    const loser = mustGet(firstByKey, row.key);
    loser.result = known(loser, row);
    lost.add(loser.seq);
  }
  const facts: FactRow[] = [];
  for (const one of drafts) {
    if (one.fact === null || one.result !== null || one.first !== null) continue;
    const first = firstByFact.get(one.fact.fact);
    if (first !== undefined) {
      one.first = first;
      lost.add(one.seq);
      continue;
    }
    firstByFact.set(one.fact.fact, one);
    facts.push(one.fact);
  }
  for (const row of facts.length > 0 ? await tx.claimFacts(sortBy(facts, (row) => row.fact)) : []) {
    const loser = mustGet(firstByFact, row.fact);
    loser.result = { kind: "duplicate", eventId: eventId({ seq: row.eventSeq, tag: row.tag }) };
    lost.add(loser.seq);
  }
  // A loser may have won another of its keys; that key must not point at an event that is never stored.
  const orphaned = [...lost].filter((seq) => (bySeq.get(seq)?.keys.length ?? 0) > 0);
  if (orphaned.length > 0) await tx.dropKeys(orphaned);
}

function known(loser: Draft, stored: KeyRow): AcceptResult {
  const sent = loser.keys.find((row) => row.key === stored.key);
  if (
    stored.key.startsWith("k:") &&
    sent !== undefined &&
    !sameBytes(sent.bodyHash, stored.bodyHash)
  ) {
    return { kind: "rejected", code: "idempotency_key_reused" };
  }
  return { kind: "duplicate", eventId: eventId({ seq: stored.eventSeq, tag: stored.tag }) };
}

export function copyFolded(drafts: readonly Draft[]): void {
  for (const one of drafts) {
    const { first } = one;
    if (first === null) continue;
    const own = one.item.idempotency;
    const its = first.item.idempotency;
    if (own !== undefined && own.key === its?.key && !sameBytes(own.bodyHash, its.bodyHash)) {
      one.result = { kind: "rejected", code: "idempotency_key_reused" };
    } else if (first.result?.kind === "duplicate" || first.result?.kind === "rejected") {
      one.result = first.result;
    } else {
      one.result = { kind: "duplicate", eventId: eventId({ seq: first.seq, tag: first.item.tag }) };
    }
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function sortBy<T>(rows: readonly T[], key: (row: T) => string): T[] {
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
