import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { type DeliveryFilter, type DeliveryPage, NEWEST_ATTEMPTS } from "../port/delivery-log.ts";
import { erase } from "./erasure.ts";
import { only } from "./checks.ts";
import { each, newest, pagesOf } from "./lists.ts";
import { event, fileVersion, update } from "./reports.ts";
import { DELIVERED, retried, retry, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const RETRY = retry(0);
const EVERYTHING_SENT = { at: 1, profile: 1, nonce: "n", timestamp: 1, signature: "s" };

export function testDeliverySearch(w: World): void {
  test("a text is found in values of payload and details and in every reply, whatever its case", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const details = JSON.stringify({ orderId: "88213-ab", buyerName: 'Jörg "100%" O\'Neil_1' });
    const told = await w.acceptOne(
      shop.id,
      instanceNo,
      event(shop.id, "purchase", user, { details }),
    );
    await w.settle(instanceNo, [
      settled(told, RETRY, { outcome: "http_error", status: 500, detail: reply('"LOCKED"\nby Ä') }),
    ]);
    await w.harness.advance(1000);
    for (const delivery of await w.claimAll(instanceNo)) {
      await w.settle(instanceNo, [settled(delivery, DELIVERED, { detail: reply("thanks") })]);
    }
    const version = fileVersion("f1", { title: "Second towers", size: "777123" });
    const other = await w.acceptOne(
      shop.id,
      instanceNo,
      update(shop.id, version, { previous: fileVersion("f0") }),
    );
    await w.settle(instanceNo, [settled(other, DELIVERED, { detail: reply("one 1009 O'NeilX1") })]);
    const waiting = await w.acceptOne(shop.id, instanceNo);
    await w.settle(instanceNo, [retried(waiting, 60_000)]);

    const expected: [string, number[]][] = [
      ["88213-AB", [told.seq]],
      ["88213", [told.seq]],
      [String(user), [told.seq]],
      ["jÖRG", [told.seq]],
      ['"100%"', [told.seq]],
      ['"locked"\nBY ä', [told.seq]],
      ["Thanks", [told.seq]],
      ["second TOWERS", [other.seq]],
      ["777123", [other.seq]],
      ["o'neil", [other.seq, told.seq]],
      ["100%", [told.seq]],
      ["o'neil_1", [told.seq]],
      ["buyername", []],
      ["receiver.example", []],
      ["peer 192", []],
    ];
    for (const [text, seqs] of expected) {
      const { items, nextSeq, searched } = await search(w, { ownerId: shop.ownerId, text });
      assert.deepEqual(each(items, "seq"), seqs, text);
      assert.deepEqual([nextSeq, searched?.deliveries], [null, 3]);
    }
    const narrowed = {
      ownerId: shop.ownerId,
      text: "o'neil",
      eventName: "product.update",
    } as const;
    assert.deepEqual((await search(w, narrowed)).searched?.deliveries, 1);
    const plain = await w.store.log.list({ ownerId: shop.ownerId }, PAGE);
    assert.equal(plain.searched, undefined);
  });

  test("of a delivery that was tried very often the newest attempts are read and searched", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    let delivery = await w.acceptOne(shop.id, instanceNo);
    const tries = NEWEST_ATTEMPTS + 3;
    for (let number = 1; number <= tries; number += 1) {
      const detail = reply(`try-${number}.`);
      await w.settle(instanceNo, [
        settled(delivery, RETRY, { outcome: "http_error", status: 500, detail }),
      ]);
      await w.harness.advance(1000);
      if (number < tries) delivery = only(await w.claimAll(instanceNo));
    }
    const found = await w.store.log.find(deliveryId(delivery), shop.ownerId);
    assert.deepEqual([found?.attempts, found?.attemptRecords.length], [tries, NEWEST_ATTEMPTS]);
    assert.deepEqual(
      [found?.attemptRecords[0]?.number, found?.attemptRecords.at(-1)?.number],
      [4, tries],
    );
    for (const [text, times] of [
      ["try-3.", 0],
      ["try-4.", 1],
      [`try-${tries}.`, 1],
    ] as const) {
      const { items } = await search(w, { ownerId: shop.ownerId, text });
      assert.equal(items.length, times, text);
    }
  });

  test("another owner's deliveries are not searched, and an erased buyer is not found", async () => {
    const [mine, other] = [await w.shop(), await w.shop()];
    const instanceNo = await w.instanceNo();
    const user = w.user();
    for (const { id } of [mine, other]) {
      const details = JSON.stringify({ buyerName: "Quintilla" });
      const one = await w.acceptOne(id, instanceNo, event(id, "purchase", user, { details }));
      const record = { detail: reply("hello Quintilla") };
      await w.settle(instanceNo, [settled(one, DELIVERED, record)]);
    }
    const filter = { ownerId: mine.ownerId, text: "quintilla" };
    const { items, searched } = await search(w, filter);
    assert.deepEqual([items.length, items[0]?.resourceId], [1, mine.id]);
    assert.equal(searched?.deliveries, 1);
    assert.equal((await search(w, { ...filter, ownerId: "nobody" })).searched?.deliveries, 0);

    await erase(w, user);
    for (const text of ["quintilla", String(user)]) {
      const erased = await search(w, { ownerId: null, webhookId: mine.hook.id, text });
      assert.deepEqual([erased.items.length, erased.searched?.deliveries], [0, 1]);
    }
  });

  test("a search looks at a bounded number, says back to when, and goes on from there", async () => {
    const shop = await w.shop();
    const details = (index: number) => JSON.stringify({ orderId: index % 4 === 0 ? "rare" : "no" });
    for (let index = 0; index < 12; index += 1) {
      await w.accept([event(shop.id, "purchase", w.user(), { details: details(index) })]);
      await w.harness.advance(10);
    }
    const all = (await w.store.log.list({ ownerId: shop.ownerId }, PAGE)).items;
    const filter = { ownerId: shop.ownerId, text: "RARE" };
    const pages = await pagesOf((beforeSeq) =>
      w.store.log.list(filter, { beforeSeq, limit: 10, examined: 5 }),
    );
    assert.deepEqual(
      pages.map(({ items, searched }) => [items.length, searched?.deliveries, searched?.backTo]),
      [
        [1, 5, all[4]?.createdAt],
        [1, 5, all[9]?.createdAt],
        [1, 2, all[11]?.createdAt],
      ],
    );
    const full = await w.store.log.list(filter, newest(2));
    assert.deepEqual([full.items.length, full.searched?.deliveries], [2, 8]);
    assert.equal(full.nextSeq, all[7]?.seq);
  });
}

const PAGE = newest(100);

async function search(w: World, filter: DeliveryFilter): Promise<DeliveryPage> {
  return await w.store.log.list(filter, PAGE);
}

/** An attempt's detail with this reply, and with what is not for everyone to see. */
function reply(body: string): string {
  const url = "https://receiver.example/hook";
  return JSON.stringify({ ...EVERYTHING_SENT, url, body, operatorDetail: "peer 192.0.2.1" });
}
