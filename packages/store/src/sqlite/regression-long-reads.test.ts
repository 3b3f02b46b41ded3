import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { kindOf } from "../hot/kinds.ts";
import { HISTORY_HOURS, hourOf } from "../port/attempt-counts.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openSqlite, type SqliteStore } from "./open.ts";

/** Enough for many statements of a month's chart. */
const WEBHOOKS = 600;
/** All of one webhook, which lacks the event before them. */
const DELIVERIES = 100_000;

const folder = mkdtempSync(join(tmpdir(), "markethook-reads-"));
const hour = hourOf(Date.now());
let store: SqliteStore;

before(async () => {
  await (await openSqlite({ ...TEST_OPTIONS, folder })).close();
  fill(join(folder, "markethook.sqlite"));
  store = await openSqlite({ ...TEST_OPTIONS, folder });
});
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** How many other reads were answered meanwhile. There is one thread for all. */
async function answeredDuring(work: () => Promise<unknown>): Promise<number> {
  let [answered, isOver] = [0, false];
  const others = async (): Promise<void> => {
    while (!isOver) {
      await store.notices.newest(1);
      answered += 1;
    }
  };
  const reading = others();
  await work();
  isOver = true;
  await reading;
  return answered;
}

test("other reads have their turn while the chart of an owner of many webhooks is read", async () => {
  const answered = await answeredDuring(async () => {
    const sums = await store.attemptCounts.sums(
      { webhookNo: null, ownerId: "o", resourceId: null },
      { firstHour: hour - HISTORY_HOURS + 1, stepHours: HISTORY_HOURS, steps: 1 },
    );
    assert.deepEqual(
      sums.map(({ ok }) => ok),
      [WEBHOOKS],
    );
  });
  assert.ok(answered >= 10, `${answered} reads`);
});

test("other reads have their turn while a webhook's many deliveries are counted for a replay", async () => {
  const answered = await answeredDuring(async () => {
    const range = { webhookId: "wh_1", ownerId: null, from: 0, to: Date.now() };
    assert.deepEqual(await store.log.countReplay({ ...range, states: ["dead"] }), {
      count: DELIVERIES / 100,
      capped: false,
    });
  });
  assert.ok(answered >= 12, `${answered} reads`);
});

test("other reads have their turn while all later deliveries of a webhook are looked through for a buyer", async () => {
  const answered = await answeredDuring(async () => {
    const filter = { webhookId: "wh_1", ownerId: null, from: 0, to: Date.now(), confirmed: false };
    assert.deepEqual(await store.log.countMissing(filter), {
      count: 1,
      outOfOrder: 0,
      capped: false,
    });
  });
  assert.ok(answered >= 40, `${answered} reads`);
});

function fill(path: string): void {
  const raw = new DatabaseSync(path);
  const numbers = (count: number): string =>
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  raw.exec(
    `insert into webhooks (no, id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
       ${numbers(WEBHOOKS)} select i, 'wh_' || i, 'r', 'o', '', 'json', '', 'active', '', 0, 0, 0 from n;
     insert into attempt_counts (webhook_no, hour, ok, failed, last_at, last_outcome)
       ${numbers(WEBHOOKS)} select i, ${hour}, 1, 0, 0, 'ok' from n;
     insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
       values (1, '', 'r', ${kindOf("product.user.purchase")}, 1, 1, '{}', 1, 1);
     insert into resources (id, owner_id, title, subtitle, created_at, updated_at) values ('r', 'o', '', '', 0, 0);
     insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
       ${numbers(DELIVERIES)} select (i + 1) * 128, i + 1, 1, 1, i + 1, case when i % 100 = 0 then 1 else 0 end, 1, 0, 1, 1 from n;`,
  );
  raw.close();
}
