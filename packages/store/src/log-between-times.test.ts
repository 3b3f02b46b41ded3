import assert from "node:assert/strict";
import { test } from "node:test";
import { event } from "./conformance/reports.ts";
import { World } from "./conformance/world.ts";
import { openPostgresHarness } from "./postgres/open-harness.ts";
import { openSqliteHarness } from "./sqlite/open-harness.ts";

const HOUR_MS = 3_600_000;
const HOURS = 10;

for (const [name, open] of [
  ["SQLite", openSqliteHarness],
  ["PostgreSQL", openPostgresHarness],
] as const) {
  test(`the log between two times has all deliveries of that time, whichever events are gone, on ${name}`, async (t) => {
    const harness = await open();
    t.after(async () => await harness.close());
    const w = new World(harness);
    const { id } = await w.shop();
    await w.accept(Array.from({ length: 3 * HOURS }, () => event(id, "purchase", w.user())));
    const seqs = (await harness.rows("events")).map((row) => Number(row["seq"]));
    const [first = 0] = seqs;
    // Three events in an hour.
    const start = (await w.store.maintenance.now()) - HOURS * HOUR_MS;
    const at = (number: string): string => `${start} + (${number} - ${first}) / 3 * ${HOUR_MS}`;
    await harness.tamper(`update events set accepted_at = ${at("seq")}`);
    await harness.tamper(`update pending set created_at = ${at("event_seq")} where seq > 0`);
    const gone = seqs.filter((seq) => [1, 2, 5, 6, 7, 8, 13].includes((seq - first) % 17));
    await harness.tamper(`delete from pending where event_seq in (${gone.join(", ")})`);
    await harness.tamper(`delete from events where seq in (${gone.join(", ")})`);
    const all = (await harness.rows("pending")).map((row) => Number(row["created_at"]));
    for (let from = -1; from <= HOURS; from += 1) {
      for (let to = from; to <= HOURS; to += 1) {
        const range = { from: start + from * HOUR_MS, to: start + to * HOUR_MS };
        const { items } = await w.store.log.list(
          { ownerId: null, ...range },
          { beforeSeq: null, limit: 100 },
        );
        const expected = all.filter((time) => time >= range.from && time < range.to);
        assert.equal(items.length, expected.length, `${from} to ${to}`);
      }
    }
  });
}
