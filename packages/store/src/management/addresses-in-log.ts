import { EVENT_NAMES, HIDDEN, hiddenAddress, shownUrl } from "@markethook/protocol";
import type { AttemptDetail } from "../port/deliveries.ts";
import type { SealingStep } from "./sealing-step.ts";

/** Rows of a portion, and rows of a statement. */
const AT_ONCE = 1000;
const TOGETHER = 200;
/** Few events are pings. */
const EVENTS_AT_ONCE = 10_000;
const PING = EVENT_NAMES.indexOf("ping");

export const hideInEndedDeliveries: SealingStep = async (trx, _context, after) => {
  const rows = await trx
    .selectFrom("done")
    .selectAll()
    .where("seq", ">", after.no)
    .where("first_attempt", "is not", null)
    .orderBy("seq")
    .limit(AT_ONCE)
    .execute();
  const changed = rows.flatMap((row) => {
    const first_attempt = withoutAddress(row.first_attempt ?? "");
    return first_attempt === row.first_attempt ? [] : [{ ...row, first_attempt }];
  });
  for (let at = 0; at < changed.length; at += TOGETHER) {
    await trx
      .insertInto("done")
      .values(changed.slice(at, at + TOGETHER))
      .onConflict((conflict) =>
        conflict
          .column("seq")
          .doUpdateSet((eb) => ({ first_attempt: eb.ref("excluded.first_attempt") })),
      )
      .execute();
  }
  return { examined: rows.length, next: placeOf(rows.at(-1)?.seq) };
};

export const hideInAttempts: SealingStep = async (trx, _context, after) => {
  const deliveries = await trx
    .selectFrom("attempts")
    .select("delivery_seq")
    .distinct()
    .where("delivery_seq", ">", after.no)
    .orderBy("delivery_seq")
    .limit(AT_ONCE)
    .execute();
  const last = deliveries.at(-1)?.delivery_seq;
  if (last === undefined) return { examined: 0, next: null };
  const rows = await trx
    .selectFrom("attempts")
    .selectAll()
    .where("delivery_seq", ">", after.no)
    .where("delivery_seq", "<=", last)
    .execute();
  const changed = rows.flatMap((row) => {
    const detail = withoutAddress(row.detail);
    return detail === row.detail ? [] : [{ ...row, detail }];
  });
  for (let at = 0; at < changed.length; at += TOGETHER) {
    await trx
      .insertInto("attempts")
      .values(changed.slice(at, at + TOGETHER))
      .onConflict((conflict) =>
        conflict
          .columns(["delivery_seq", "number"])
          .doUpdateSet((eb) => ({ detail: eb.ref("excluded.detail") })),
      )
      .execute();
  }
  return { examined: rows.length, next: placeOf(last) };
};

export const hideInPings: SealingStep = async (trx, _context, after) => {
  const events = await trx
    .selectFrom("events")
    .select(["seq", "kind"])
    .where("seq", ">", after.no)
    .orderBy("seq")
    .limit(EVENTS_AT_ONCE)
    .execute();
  const pings = events.filter(({ kind }) => kind === PING).map(({ seq }) => seq);
  for (let at = 0; at < pings.length; at += TOGETHER) {
    const rows = await trx
      .selectFrom("events")
      .select(["seq", "payload"])
      .where("seq", "in", pings.slice(at, at + TOGETHER))
      .execute();
    for (const { seq, payload } of rows) {
      const hidden = pingWithoutAddress(payload);
      await trx.updateTable("events").set({ payload: hidden }).where("seq", "=", seq).execute();
    }
  }
  return { examined: events.length, next: placeOf(events.at(-1)?.seq) };
};

function placeOf(no: number | undefined) {
  return no === undefined ? null : { no };
}

/** A chat's attempt was written without it. */
function withoutAddress(text: string): string {
  const detail = JSON.parse(text) as AttemptDetail; // Written by our sender.
  if (detail.chat !== undefined || detail.url.endsWith(HIDDEN)) return text;
  const shown = shownUrl(detail.url);
  const { hide } = hiddenAddress(detail.url, shown);
  const { headers, body, bodyBase64, operatorDetail } = detail;
  const hidden: AttemptDetail = { ...detail, url: shown };
  if (headers !== undefined) hidden.headers = headers.map(([name, value]) => [name, hide(value)]);
  if (body !== undefined) hidden.body = hide(body);
  if (bodyBase64 !== undefined) {
    // One byte is one character here, and the address has no others.
    const clean = hide(Buffer.from(bodyBase64, "base64").toString("latin1"));
    hidden.bodyBase64 = Buffer.from(clean, "latin1").toString("base64");
  }
  if (operatorDetail !== undefined) hidden.operatorDetail = hide(operatorDetail);
  return JSON.stringify(hidden);
}

function pingWithoutAddress(payload: string): string {
  const value = JSON.parse(payload) as { webhook?: { url?: unknown } }; // Written by us.
  const url = value.webhook?.url;
  if (typeof url !== "string" || url.endsWith(HIDDEN)) return payload;
  return JSON.stringify({ ...value, webhook: { ...value.webhook, url: shownUrl(url) } });
}
