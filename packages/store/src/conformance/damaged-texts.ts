import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId, eventId } from "@markethook/protocol";
import { NO_REPLIES } from "../port/attempt-counts.ts";
import { counted } from "./counted.ts";
import { erase, whereIs } from "./erasure.ts";
import { importedWebhook } from "./imports.ts";
import { only } from "./checks.ts";
import { newest } from "./lists.ts";
import { event, fileVersion } from "./reports.ts";
import { attempt, HOUR, retried, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const PAGE = newest(10);
/** The largest number of a column of four bytes. */
const MOST = 2 ** 31 - 1;

/** A text that is no JSON, or a number that is as large as it can be, in one row: all others stay usable. */
export function testDamagedTexts(w: World): void {
  /** Two delivered events of one user, the first one with its delivery's and its own texts cut off. */
  async function damagedAndWhole(user: number) {
    const { instanceNo, shop } = await w.shopAndInstance();
    const deliveries = [];
    for (const body of ["first reply", "second reply"]) {
      const one = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
      const detail = JSON.stringify({ ...JSON.parse(attempt(one).detail), body });
      const next = { kind: "end", state: "dead", reason: "rejected" } as const;
      await w.settle(instanceNo, [
        settled(one, next, { outcome: "http_error", status: 400, detail }),
      ]);
      deliveries.push(one);
    }
    const [bad, good] = deliveries;
    assert.ok(bad !== undefined && good !== undefined);
    await w.harness.tamper(
      `update events set payload = '{"user":{"id":${user}', details = '{"buyer":"${user}' where seq = ${bad.eventSeq}`,
    );
    await w.harness.tamper(
      `update ended set first_attempt = '{"body":"damaged reply of ${user}' where seq = ${bad.seq}`,
    );
    return { shop, bad, good };
  }

  test("a search reads past damaged texts, and finds what stands in them", async () => {
    const user = w.user();
    const { shop, bad, good } = await damagedAndWhole(user);
    const found = async (text: string): Promise<number[]> => {
      const { items } = await w.store.log.list({ ownerId: shop.ownerId, text }, PAGE);
      return items.map(({ seq }) => seq);
    };
    assert.deepEqual(await found("second reply"), [good.seq]);
    assert.deepEqual(await found(String(user)), [good.seq, bad.seq]);
    assert.deepEqual(await found("damaged reply"), [], "only a reply may be searched");
  });

  test("a failure whose attempt is damaged is left out of the groups, and the others are counted", async () => {
    const { shop, good } = await damagedAndWhole(w.user());
    const { groups } = await w.store.log.failures(shop.hook.id, shop.ownerId);
    const group = only(groups);
    assert.deepEqual([group.count, group.deliveryId], [1, deliveryId(good)]);
  });

  test("an erasure of a user with damaged texts comes to its end, and nothing of them is left", async () => {
    const user = 7_410_852_963_755;
    const { shop, bad } = await damagedAndWhole(user);
    const instanceNo = await w.instanceNo();
    const tried = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.settle(instanceNo, [retried(tried, HOUR)]);
    await w.harness.tamper(
      `update attempts set detail = '"${user}"' where delivery_seq = ${tried.seq}`,
    );
    const step = await erase(w, user);
    assert.equal(step.events, 3);
    assert.deepEqual(await whereIs(w, String(user)), []);
    const found = await w.store.log.find(deliveryId(bad), null);
    assert.deepEqual([found?.state, found?.payload], ["dead", "{}"]);
  });

  test("an erasure takes a waiting delivery away that has ended already", async () => {
    const user = w.user();
    const shop = await w.shop();
    await w.accept([event(shop.id, "purchase", user)]);
    await w.harness.tamper(
      `insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
       select seq, event_seq, webhook_no, kind, order_key, 0, 1, 0, created_at, created_at from pending where webhook_no = ${shop.hook.no}`,
    );
    assert.equal((await erase(w, user)).events, 1);
    assert.equal(only([...(await w.places()).values()].filter(isOf(shop.hook.no))).place, "ended");
  });

  test("a webhook with damaged options of its chat can be changed, repaired and deleted", async () => {
    const shop = await w.shop(0);
    const url = "https://discord.com/api/webhooks/123456789012345678/token";
    const options = '{"messages":{},"refunds":"edit","threadId":null}';
    const made = { url, format: "discord", shownUrl: url, chat: options };
    const hooks = [await w.webhook(shop.id, made), await w.webhook(shop.id, made)];
    const [one, other] = hooks.map(({ id }) => id);
    await w.harness.tamper(
      `update webhooks set chat_options = '{' where id in ('${one}', '${other}')`,
    );
    const { webhooks } = w.store;
    await webhooks.change(one ?? "", null, { description: "new" });
    const expected = { chat: '{"what":"the page shows for damaged ones"}' };
    const repaired = await webhooks.change(one ?? "", null, { chat: options, expected });
    assert.equal(repaired.chat, options);
    await assert.rejects(webhooks.change(one ?? "", null, { chat: options, expected }), {
      code: "webhook_changed",
    });
    await webhooks.delete(other ?? "", null);
    const kept = (await w.harness.rows("audit")).filter((row) => row["subject_id"] === other);
    assert.equal(kept.at(-1)?.["action"], "webhook.delete");
  });

  test("a webhook whose shown URL is damaged takes a new one, by a change and by an import", async () => {
    const shop = await w.shop(0);
    const run = async (url: string) =>
      await w.import([importedWebhook(shop.id, { importId: "1", url })]);
    await run("https://old.example/hook");
    const { id } = only(await w.store.webhooks.list({ ownerId: shop.ownerId, limit: 10 }));
    const damage = `update webhooks set shown_url = 'https:/' where id = '${id}'`;
    await w.harness.tamper(damage);
    await run("https://second.example/hook");
    await w.harness.tamper(damage);
    await w.store.webhooks.change(id, null, { url: "https://third.example/hook" });
    const notices = await w.store.notices.list(0, 10, shop.ownerId);
    assert.deepEqual(
      notices.map(({ detail }) => [detail["fromHost"], detail["toHost"]]),
      [
        ["old.example", "second.example"],
        ["second.example", "third.example"],
      ],
    );
  });

  test("a resource whose file version is damaged is listed without it, can be sold, and an import repairs it", async () => {
    const [bad, good] = [await w.resource(), await w.resource()];
    const { resources } = w.store;
    for (const damage of ["{}", "[]", "5", "{"]) {
      await w.harness.tamper(
        `update resources set file_version = '${damage}' where id = '${bad.id}'`,
      );
      assert.equal((await resources.find(bad.id))?.fileVersion, null, damage);
    }
    const listed = await resources.list({ limit: 1000 });
    assert.ok([bad, good].every(({ id }) => listed.some((one) => one.id === id)));
    const owner = w.name("owner");
    await w.give(bad.id, owner);
    const results = await w.import([
      { kind: "fileVersion", resourceId: bad.id, fileVersion: fileVersion("1") },
    ]);
    assert.deepEqual(results, [{ kind: "created" }]);
    assert.equal((await resources.find(bad.id))?.fileVersion?.id, "1");
  });

  test("an event that only a newer version knows is found nowhere, and is no error", async () => {
    const { instanceNo, delivery: one } = await w.leasedOne();
    await w.deliver(instanceNo, [one]);
    await w.harness.tamper(`update ended set kind = 30 where seq = ${one.seq}`);
    await w.harness.tamper(`update events set kind = 30 where seq = ${one.eventSeq}`);
    const id = eventId({ seq: one.eventSeq, tag: one.tag });
    assert.equal(await w.store.events.find(id, null), null);
    assert.equal(await w.store.events.explain(id, null), null);
    assert.equal(await w.store.log.find(deliveryId(one), null), null);
  });

  test("a count that is as large as it can be stays so, and those of other webhooks are added", async () => {
    const [full, other] = [(await w.shop()).hook.no, (await w.shop()).hook.no];
    const { attemptCounts } = w.store;
    const now = await w.store.maintenance.now();
    const replies = NO_REPLIES.map(() => 1);
    const both = [counted(full, now, { replies }), counted(other, now, { replies })];
    await attemptCounts.add(both);
    await w.harness.tamper(`update attempt_counts set ok = ${MOST} where webhook_no = ${full}`);
    await attemptCounts.add(both);
    const counts = new Map(
      (await attemptCounts.list([full, other])).map((one) => [one.webhookNo, one.ok]),
    );
    assert.equal(counts.get(other), 2);
    assert.ok((counts.get(full) ?? 0) >= MOST);
  });
}

function isOf(no: number): (one: { row: Record<string, unknown> }) => boolean {
  return ({ row }) => Number(row["webhook_no"]) === no;
}
