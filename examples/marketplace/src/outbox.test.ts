import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { buy } from "./actions/buy.ts";
import { changeDetails } from "./actions/change-details.ts";
import { removePurchase } from "./actions/remove-purchase.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { BUYERS } from "./people.ts";
import type { Shop } from "./shop.ts";
import { createFakeMarkethook } from "./testing/fake-markethook.ts";
import { openTestShop } from "./testing/test-shop.ts";

const [ADA, BJOERN] = BUYERS;
/** Longer than any test: only what asks for a pass gets one. */
const NEVER_MS = 1_000_000;

function openTestOutbox(t: TestContext, shop: Shop): Outbox {
  const outbox = createOutbox(shop, NEVER_MS);
  t.after(() => outbox.stop());
  return outbox;
}

function boughtBy(shop: Shop, buyer: (typeof BUYERS)[number] | undefined): string {
  assert.ok(buyer);
  const key = buy(shop, "sample-plugin", buyer);
  assert.ok(key);
  return key;
}

test("what happens before Markethook is there is kept, and reported in order when it comes", async (t) => {
  const shop = openTestShop(t);
  const outbox = openTestOutbox(t, shop);
  const markethook = createFakeMarkethook();
  const order = boughtBy(shop, ADA);
  const refund = removePurchase(shop, "sample-plugin", order, "refund");
  await outbox.flush();
  assert.equal(outbox.problem, "Markethook is not there yet.");

  outbox.connect(markethook);
  await outbox.flush();
  assert.deepEqual(
    markethook.reports.map(({ key, event }) => [key, event.event]),
    [
      [order, "product.user.purchase"],
      [refund, "product.user.purchaseRemoved"],
    ],
  );
  assert.deepEqual(
    shop.data.reports.map(({ state, eventId, webhooks }) => [state, eventId, webhooks]),
    [
      ["sent", `evt_${order}`, 1],
      ["sent", `evt_${refund}`, 1],
    ],
  );
  assert.equal(outbox.problem, null);
});

test("a refund does not overtake its purchase, and the same key and body are sent at each try", async (t) => {
  const shop = openTestShop(t);
  const outbox = openTestOutbox(t, shop);
  const markethook = createFakeMarkethook();
  markethook.answers.push("away", "wrong key", "lost");
  const order = boughtBy(shop, ADA);
  const refund = removePurchase(shop, "sample-plugin", order, "refund");
  outbox.connect(markethook);
  await outbox.flush();
  assert.match(outbox.problem ?? "", /cannot be reached/);
  await outbox.flush();
  assert.match(outbox.problem ?? "", /unauthenticated/);
  await outbox.flush();
  assert.deepEqual(
    markethook.reports.map(({ key }) => key),
    [order, order, order],
  );
  await outbox.flush();
  assert.deepEqual(
    markethook.reports.map(({ key }) => key),
    [order, order, order, order, refund],
  );
  const [first, , , fourth] = markethook.reports;
  assert.deepEqual(fourth?.event, first?.event);
  // The third try had been stored, its answer was lost.
  assert.deepEqual(
    shop.data.reports.map(({ state, webhooks }) => [state, webhooks]),
    [
      ["sent", null],
      ["sent", 1],
    ],
  );
});

test("what Markethook refuses is parked with its reason, and what follows goes out", async (t) => {
  const shop = openTestShop(t);
  const outbox = openTestOutbox(t, shop);
  const markethook = createFakeMarkethook();
  markethook.answers.push("refused");
  boughtBy(shop, ADA);
  boughtBy(shop, BJOERN);
  outbox.connect(markethook);
  await outbox.flush();
  const [first, second] = shop.data.reports;
  assert.equal(first?.state, "parked");
  assert.match(first?.problem ?? "", /previous_unknown/);
  assert.equal(second?.state, "sent");
});

test("resources are told once, and again when their words have changed", async (t) => {
  const shop = openTestShop(t);
  const outbox = openTestOutbox(t, shop);
  const markethook = createFakeMarkethook();
  outbox.connect(markethook);
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual(
    markethook.told.map(({ id }) => id),
    ["sample-plugin", "sample-map"],
  );
  changeDetails(shop, "sample-map", { title: "Harbour", subtitle: "" });
  await outbox.flush();
  assert.deepEqual(
    markethook.told.slice(2).map(({ id, title }) => [id, title]),
    [["sample-map", "Harbour"]],
  );
});

test("it goes on by itself after Markethook was away", async (t) => {
  const shop = openTestShop(t);
  const outbox = createOutbox(shop, 1);
  t.after(() => outbox.stop());
  const markethook = createFakeMarkethook();
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const { tell } = markethook;
  markethook.tell = async (resource) => {
    await tell(resource);
    resolve();
  };
  markethook.answers.push("away", "away");
  const order = boughtBy(shop, ADA);
  outbox.connect(markethook);
  await told;
  assert.deepEqual(
    markethook.reports.map(({ key }) => key),
    [order, order, order],
  );
});
