import { jsonObject, parseEventId } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { AttemptDetail } from "../../port/deliveries.ts";
import type { DeliveryFilter, DeliveryPage, DeliverySummary } from "../../port/delivery-log.ts";
import type { LogPosition } from "../../port/log-page.ts";
import type { Tables } from "../../tables.ts";
import { listDeliveries } from "./delivery-list.ts";
import { newestAttempts } from "./newest-attempts.ts";
import { padded } from "../padded.ts";

/** One search reads the texts of this many deliveries, and for this long, and then returns where to continue. */
const SEARCHED = 5000;
const SEARCHING_MS = 2000;
/** Number of deliveries listed at once. */
const LISTED = 500;
/** Each attempt may have a reply of 16 KiB, so texts are read a few at a time. */
const PORTION = 100;

/**
 * A page of the deliveries whose payload, details or replies contain a text. The candidates are listed as without the
 * text, so a search reads no delivery that the same filter would not list. They are compared here, so both databases
 * find the same.
 */
export async function searchDeliveries(
  db: Kysely<Tables>,
  { text, ...filter }: DeliveryFilter & { text: string },
  page: LogPosition,
): Promise<DeliveryPage> {
  const sought = text.toLowerCase();
  const most = page.examined ?? SEARCHED;
  const until = performance.now() + SEARCHING_MS;
  const items: DeliverySummary[] = [];
  const searched = { deliveries: 0, backTo: null as number | null };
  let { beforeSeq } = page;
  for (;;) {
    const limit = Math.min(LISTED, most - searched.deliveries);
    const listed = await listDeliveries(db, filter, { beforeSeq, limit });
    for (let from = 0; from < listed.items.length; from += PORTION) {
      const portion = listed.items.slice(from, from + PORTION);
      const found = await containing(db, portion, sought);
      for (const item of portion) {
        searched.deliveries += 1;
        searched.backTo = item.createdAt;
        beforeSeq = item.seq;
        if (found.has(item.seq)) items.push(item);
        if (items.length === page.limit) return { items, nextSeq: item.seq, searched };
      }
      const isLast = from + PORTION >= listed.items.length;
      if (!isLast && performance.now() > until) return { items, nextSeq: beforeSeq, searched };
    }
    beforeSeq = listed.nextSeq;
    const isEnough = searched.deliveries >= most || performance.now() > until;
    if (beforeSeq === null || isEnough) return { items, nextSeq: beforeSeq, searched };
  }
}

/** Returns the numbers of the deliveries that contain the text, which is in lower case. */
async function containing(
  db: Kysely<Tables>,
  deliveries: readonly DeliverySummary[],
  sought: string,
): Promise<Set<number>> {
  const isIn = (text: string): boolean => text.toLowerCase().includes(sought);
  const payloads = await payloadsOf(db, deliveries);
  const found = new Set<number>();
  const others: number[] = [];
  for (const { seq, eventId, details } of deliveries) {
    const payload = payloads.get(eventId);
    const told = [payload, details].filter((json) => typeof json === "string");
    if (told.some((json) => valuesOf(jsonObject(json) ?? json).some(isIn))) found.add(seq);
    else others.push(seq);
  }
  for (const { seq, detail } of await newestAttempts(db, others)) {
    // The sender wrote it in the port's form. Only the reply's body: not everyone may see the rest.
    const { body } = (jsonObject(detail) ?? {}) as Partial<AttemptDetail>;
    if (body !== undefined && isIn(body)) found.add(seq);
  }
  return found;
}

/** Returns payloads by the event's id. */
async function payloadsOf(
  db: Kysely<Tables>,
  deliveries: readonly DeliverySummary[],
): Promise<Map<string, string>> {
  const bySeq = new Map(
    deliveries.map(({ eventId }) => [parseEventId(eventId)?.seq ?? 0, eventId]),
  );
  const rows = await db
    .selectFrom("events")
    .select(["seq", "payload"])
    .where("seq", "in", padded([...bySeq.keys()]))
    .execute();
  return new Map(rows.map(({ seq, payload }) => [bySeq.get(seq) ?? "", payload]));
}

/** Returns texts and numbers at any depth, without the names of members. */
function valuesOf(json: unknown): string[] {
  if (typeof json === "string") return [json];
  if (typeof json === "number") return [String(json)];
  if (typeof json !== "object" || json === null) return [];
  return Object.values(json).flatMap(valuesOf);
}
