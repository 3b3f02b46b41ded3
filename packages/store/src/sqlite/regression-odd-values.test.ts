import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { only } from "../conformance/checks.ts";
import { World } from "../conformance/world.ts";
import { openSqliteHarness } from "./open-harness.ts";

/** SQLite keeps any value in any column. One text among the numbers made a whole list an error. */
let harness: Awaited<ReturnType<typeof openSqliteHarness>>;
let w: World;
before(async () => {
  harness = await openSqliteHarness();
  w = new World(harness);
});
after(() => harness.close());

const PAGE = { beforeSeq: null, limit: 10 };
const COLUMNS = {
  ended: ["kind", "order_key", "state", "attempts", "status", "origin", "created_at", "ended_at"],
  events: ["kind", "time", "user_id", "accepted_at", "erased_at"],
  webhooks: ["mask", "created_at", "updated_at", "next_secret_until"],
  webhook_health: ["failing_since", "last_failure_at"],
  resources: ["created_at", "updated_at"],
  notices: ["created_at"],
  api_keys: ["created_at", "expires_at", "last_used_at"],
};

for (const [table, columns] of Object.entries(COLUMNS)) {
  for (const column of columns) {
    test(`lists go past a text in ${table}.${column}, and tell nothing but numbers for numbers`, async () => {
      const shop = await w.shop();
      const { id, no } = only(shop.hooks);
      const instanceNo = await w.instanceNo();
      const odd = await w.acceptOne(shop.id, instanceNo);
      await w.deliver(instanceNo, [odd, await w.acceptOne(shop.id, instanceNo)]);
      await w.store.webhooks.change(id, null, { url: "https://other.example" });
      await w.harness.tamper(
        `insert or ignore into webhook_health (webhook_no, failed_attempts) values (${no}, 0);
         insert or ignore into api_keys (id, name, scopes, hash, created_at, addresses) values ('key_1', 'n', 'admin', 'h', 1, '')`,
      );
      const read = async (): Promise<object[]> => [
        ...(await w.store.log.list({ ownerId: shop.ownerId }, PAGE)).items,
        ...(await w.store.events.list({ ownerId: shop.ownerId }, PAGE)).items,
        ...(await w.store.webhooks.list({ ownerId: shop.ownerId, limit: 10 })),
        ...(await w.store.notices.list(0, 10, shop.ownerId)),
        ...(await w.store.apiKeys.list()),
        await w.store.resources.find(shop.id).then((found) => found ?? {}),
      ];
      const whole = await read();
      const where = {
        ended: `seq = ${odd.seq}`,
        events: `seq = ${odd.eventSeq}`,
        webhooks: `no = ${no}`,
        webhook_health: `webhook_no = ${no}`,
        resources: `id = '${shop.id}'`,
        notices: `owner_id = '${shop.ownerId}'`,
        api_keys: "id = 'key_1'",
      }[table];
      await w.harness.tamper(`update ${table} set ${column} = 'x' where ${where}`);
      const damaged = await read();
      assert.ok(damaged.length >= whole.length - 1);
      assert.ok(!JSON.stringify(damaged).includes('"x"'), JSON.stringify(damaged));
      await w.harness.tamper(`update ${table} set ${column} = 1 where ${where}`);
    });
  }
}

test("a table whose largest number is used up is no full disk", async () => {
  const shop = await w.shop();
  await w.harness.tamper(
    `insert into notices (no, kind, owner_id, resource_id, detail, created_at)
     values (9223372036854775807, 'owner_changed', '', '', '{}', 1)`,
  );
  const change = w.store.webhooks.change(only(shop.hooks).id, null, { url: "https://a.example" });
  await assert.rejects(change, (error: Error & { code?: string; detail?: { detail?: string } }) => {
    assert.equal(error.code, "store_unavailable");
    assert.match(
      error.detail?.detail ?? "",
      /^SQLite: the table notices has a row with the largest/,
    );
    return true;
  });
});
