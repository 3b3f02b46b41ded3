import { deliveryId, jsonObject } from "@markethook/protocol";
import type { Kysely } from "kysely";
import type { AttemptDetail } from "../../port/deliveries.ts";
import type { FailureGroup, Failures } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow } from "../context.ts";
import { listDeliveries } from "../log/delivery-list.ts";
import { padded } from "../padded.ts";
import { wasSentAgain } from "../redelivery/sent-again.ts";
import { ownWebhook } from "./webhook-row.ts";

/** Limit of read deliveries that were given up, and of those that are tried again. */
const MOST = 1000;
/** Limit of rows of the log that are read for them. */
const EXAMINED = 10_000;
/** Each may have an answer of 16 KiB, so they are read a few at a time. */
const PORTION = 100;
const MOST_GROUPS = 5;
const REPLY_LENGTH = 80;
/** The same period as for the deliveries given up that a webhook shows. */
const WEEK_MS = 7 * 24 * 3_600_000;

interface Failed {
  deliveryId: string;
  outcome: string;
  status: number | null;
  detail: string;
  ended: boolean;
}

/** Groups a webhook's newest failures. */
export async function groupFailures(
  db: Kysely<Tables>,
  webhookId: string,
  ownerId: string | null,
): Promise<Failures> {
  const { no } = await ownWebhook(db, webhookId, ownerId);
  const dead = await listDeliveries(
    db,
    { ownerId: null, webhookId, state: "dead" },
    { beforeSeq: null, limit: MOST, examined: EXAMINED },
  );
  const since = (await databaseNow(db)) - WEEK_MS;
  const given = dead.items.filter((one) => one.origin !== "ping" && (one.endedAt ?? 0) >= since);
  // Failed deliveries wait longer than new ones, so the ones that are due last are read.
  const pending = await db
    .selectFrom("pending")
    .select(["seq", "attempts"])
    .where("webhook_no", "=", no)
    .orderBy("due_at", "desc")
    .orderBy("seq", "desc")
    .limit(MOST)
    .execute();
  const tried = pending.filter(({ attempts }) => attempts > 0);
  const groups = new Map<string, FailureGroup>();
  for (const [seqs, read] of [
    [given.map(({ seq }) => seq), givenUpWith],
    [tried.map(({ seq }) => seq), triedWith],
  ] as const) {
    for (let from = 0; from < seqs.length; from += PORTION) {
      for (const one of await read(db, seqs.slice(from, from + PORTION))) {
        count(groups, one);
      }
    }
  }
  const newestFirst = [...groups.values()].sort((a, b) => b.lastAt - a.lastAt);
  return {
    groups: newestFirst.slice(0, MOST_GROUPS),
    others: newestFirst.slice(MOST_GROUPS).reduce((sum, group) => sum + group.count, 0),
    capped: dead.nextSeq !== null || pending.length === MOST,
  };
}

/** The last attempt is in the row itself if it was the only one. */
async function givenUpWith(db: Kysely<Tables>, seqs: readonly number[]): Promise<Failed[]> {
  const rows = await db
    .selectFrom("ended as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .leftJoin("attempts as a", (join) =>
      join.onRef("a.delivery_seq", "=", "d.seq").onRef("a.number", "=", "d.attempts"),
    )
    .select(["d.seq", "e.tag", "d.outcome", "d.status", "d.first_attempt", "a.detail"])
    .where("d.seq", "in", padded(seqs))
    .where(({ eb, not }) => not(wasSentAgain(eb)))
    .execute();
  return rows.flatMap(({ seq, tag, outcome, status, ...row }) => {
    const detail = row.detail ?? row.first_attempt;
    // A delivery that was never tried has no cause.
    if (outcome === null || detail === null) return [];
    return [{ deliveryId: deliveryId({ seq, tag }), outcome, status, detail, ended: true }];
  });
}

async function triedWith(db: Kysely<Tables>, seqs: readonly number[]): Promise<Failed[]> {
  const rows = await db
    .selectFrom("pending as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .innerJoin("attempts as a", (join) =>
      join.onRef("a.delivery_seq", "=", "d.seq").onRef("a.number", "=", "d.attempts"),
    )
    .select(["d.seq", "e.tag", "a.outcome", "a.status", "a.detail"])
    .where("d.seq", "in", padded(seqs))
    .execute();
  return rows.map(({ seq, tag, outcome, status, detail }) => {
    const id = deliveryId({ seq, tag });
    return { deliveryId: id, outcome, status, detail, ended: false };
  });
}

function count(groups: Map<string, FailureGroup>, failed: Failed): void {
  const { outcome, status, ended } = failed;
  // Our own sender wrote it; the port defines it.
  const detail = jsonObject(failed.detail) as AttemptDetail | null;
  if (typeof detail?.at !== "number") return;
  const { at } = detail;
  const sent = detail.sent ?? true;
  const reply = beginningOf(detail.body ?? "");
  // Numbers and ids differ between answers with the same cause.
  const key = JSON.stringify([outcome, status, sent, reply.replace(/[\da-f-]*\d[\da-f-]*/gi, "0")]);
  const known = groups.get(key);
  if (known === undefined) {
    groups.set(key, {
      outcome,
      status,
      sent,
      reply,
      count: 1,
      givenUp: ended ? 1 : 0,
      firstAt: at,
      lastAt: at,
      deliveryId: failed.deliveryId,
    });
    return;
  }
  known.count += 1;
  if (ended) known.givenUp += 1;
  known.firstAt = Math.min(known.firstAt, at);
  if (at > known.lastAt) Object.assign(known, { lastAt: at, reply, deliveryId: failed.deliveryId });
}

/** Puts the text on one line, and cuts no character in two. */
function beginningOf(body: string): string {
  const line = body.slice(0, 1000).trim().replaceAll(/\s+/g, " ");
  const characters = [...line];
  if (characters.length <= REPLY_LENGTH) return line;
  return `${characters.slice(0, REPLY_LENGTH).join("")}…`;
}
