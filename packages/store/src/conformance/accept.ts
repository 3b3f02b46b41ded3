import assert from "node:assert/strict";
import { test } from "node:test";
import { checkShape, PAYLOAD_SHAPES, parseEventId } from "@markethook/protocol";
import { shortHash } from "../hot/key-hash-and-generation.ts";
import type { AcceptItem } from "../port/events.ts";
import { only } from "./checks.ts";
import { accepted, budget, codeOf, event, fileVersion, keyed, update } from "./reports.ts";
import type { World } from "./world.ts";

export function testAccept(w: World): void {
  test("an event is stored with its key, its fact, its file version and one delivery per matching webhook", async () => {
    const shop = await w.shop(2);
    await w.webhook(shop.id, { events: ["product.update"] });
    const key = w.name("key");
    const outcome = await w.store.events.accept(
      [
        event(shop.id, "download", w.user(), keyed(key)),
        update(shop.id, fileVersion("2"), { previous: fileVersion("1") }),
      ],
      null,
    );
    assert.deepEqual(
      outcome.results.map((result) => (result.kind === "accepted" ? result.deliveries : null)),
      [2, 3],
    );
    assert.equal(outcome.notPreLeased, 5);
    assert.equal((await w.store.resources.find(shop.id))?.fileVersion?.id, "2");
    const keys = new Set(
      (await w.harness.rows("idempotency_keys")).map((row) => hexOf(row["key"])),
    );
    assert.ok(keys.has(shortHash(`r:${key}:${shop.id}`)) && keys.has(shortHash(`u:${shop.id}:2`)));
  });

  test("a rejected item leaves nothing behind: no event, delivery, key, fact or change of its resource", async () => {
    const shop = await w.shop();
    const before = await counts(w);
    const unknown = w.name("unknown");
    const results = await w.report([
      event(unknown, "download", 1, keyed(w.name("key"))),
      update(shop.id, fileVersion("9"), {
        ...keyed(w.name("key")),
        resource: { title: "Changed", subtitle: "Changed", ownerId: shop.ownerId },
      }),
      update(shop.id, fileVersion("8", { description: "x".repeat(300_000) }), {
        previous: fileVersion("7"),
      }),
      // Small enough without its details, which may go along.
      update(shop.id, fileVersion("8", { description: "x".repeat(261_000) }), {
        previous: fileVersion("7"),
        details: JSON.stringify({ reason: "x".repeat(2000) }),
      }),
    ]);
    assert.deepEqual(results.map(codeOf), [
      "resource_unknown",
      "previous_unknown",
      "event_too_large",
      "event_too_large",
    ]);
    assert.deepEqual(await counts(w), before);
    assert.equal((await w.store.resources.find(shop.id))?.title, "Castle");
  });

  test("updates of one batch chain: each one's previous is the one before", async () => {
    const shop = await w.shop();
    await w.accept([update(shop.id, fileVersion("1"), { previous: fileVersion("0") })]);
    const instanceNo = await w.instanceNo();
    const preLeased = await w.lease(
      instanceNo,
      ["2", "3", "4"].map((id) => update(shop.id, fileVersion(id))),
    );
    assert.equal(preLeased.length, 0, "all stand behind the first update");
    const payloads = (await w.harness.rows("events"))
      .filter((row) => row["resource_id"] === shop.id)
      .map((row) => JSON.parse(String(row["payload"])) as { previous: { id: string } });
    assert.deepEqual(
      payloads.map(({ previous }) => previous.id),
      ["0", "1", "2", "3"],
    );
  });

  test("payloads have the specification's members, order and JSON types", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const preLeased = await w.lease(instanceNo, [
      event(shop.id, "purchase", user),
      update(shop.id, fileVersion("2", { branch: "snapshot" }), { previous: fileVersion("1") }),
    ]);
    const [purchase, posted] = preLeased;
    const product = `{"id":"${shop.id}","title":"Castle","subtitle":"A map","url":"https://market.example/resource/${shop.id}"}`;
    assert.equal(purchase?.payload, `{"product":${product},"user":{"id":${user}}}`);
    assert.equal(
      posted?.payload,
      `{"product":${product},"previous":{"version":"v1","id":"1","time":1690000000,"size":"1024","fileType":"jar","branch":"release"},` +
        `"update":{"version":"v2","id":"2","time":1690000000,"size":"1024","fileType":"jar","branch":"snapshot","title":"Update 2","description":"New towers"}}`,
    );
    for (const { eventName, payload } of preLeased) {
      assert.equal(checkShape(PAYLOAD_SHAPES[eventName], JSON.parse(payload)), null);
    }
    await w.deliver(instanceNo, preLeased);
  });

  test("title and subtitle come along with an event and are a snapshot of that moment", async () => {
    const id = w.name("new");
    const ownerId = w.name("owner");
    const [first, second] = await w.accept([
      event(id, "purchase", 1, { resource: { title: "One", subtitle: "", ownerId } }),
      event(id, "purchase", 2, { resource: { title: "Two", subtitle: "", ownerId } }),
    ]);
    assert.match((await w.store.events.find(first ?? "", null))?.payload ?? "", /"title":"One"/);
    assert.match((await w.store.events.find(second ?? "", null))?.payload ?? "", /"title":"Two"/);
    assert.equal((await w.store.resources.find(id))?.title, "Two");
  });

  test("only active webhooks, only the first about a buyer, and only behind nothing open are pre-leased", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const [active, paused] = shop.hooks;
    await w.store.webhooks.pause(paused?.id ?? "", null);
    const user = w.user();
    const items = [event(shop.id, "purchase", user), event(shop.id, "removed", user)];
    const { preLeased, notPreLeased, blocked } = await w.store.events.accept(
      items,
      budget(instanceNo),
    );
    assert.equal(only(preLeased).webhookNo, active?.no);
    assert.equal(notPreLeased, 3);
    assert.ok(blocked.some((pair) => pair.webhookNo === active?.no && pair.orderKey === user));
    const later = await w.store.events.accept(
      [event(shop.id, "removed", user)],
      budget(instanceNo),
    );
    assert.equal(later.preLeased.length, 0);
    const other = await w.acceptPurchase(shop.id, instanceNo);
    assert.equal(other.preLeased.length, 1);
  });

  test("pre-leased deliveries stay within the budget's bytes, its share per webhook and the webhooks that are full", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const [one, two] = shop.hooks.map((hook) => hook.no);
    const items = (): AcceptItem[] => w.purchases(shop.id, 3);
    const shared = await w.store.events.accept(items(), budget(instanceNo, { share: 2 }));
    assert.deepEqual(
      [one, two].map(
        (no) => shared.preLeased.filter((delivery) => delivery.webhookNo === no).length,
      ),
      [2, 2],
    );
    const full = await w.store.events.accept(items(), budget(instanceNo, { full: [one ?? 0] }));
    assert.ok(
      full.preLeased.length === 3 && full.preLeased.every((delivery) => delivery.webhookNo === two),
    );
    const size = full.preLeased[0]?.payload.length ?? 0;
    const small = await w.store.events.accept(items(), budget(instanceNo, { bytes: size * 4 }));
    assert.equal(small.preLeased.length, 4);
    const none = await w.store.events.accept(items(), budget(instanceNo, { bytes: 10 }));
    assert.deepEqual([none.preLeased.length, none.notPreLeased], [0, 6]);
  });

  test("a pre-leased delivery carries everything that sending needs", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const item = event(shop.id, "purchase", user);
    const delivery = await w.acceptOne(shop.id, instanceNo, item);
    assert.deepEqual(
      { ...delivery, seq: 0, eventSeq: 0, payload: "" },
      {
        seq: 0,
        eventSeq: 0,
        tag: item.tag,
        webhookNo: shop.hook.no,
        eventName: "product.user.purchase",
        eventTime: item.time,
        payload: "",
        orderKey: user,
        attempts: 0,
        step: 0,
        throttled: 0,
        lease: delivery.lease,
        suspicion: 0,
        origin: "event",
        early: false,
        probe: false,
      },
    );
  });

  test("fan-out of more than 2000 rows is split into commits and answers for all, within one offer", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(7);
    const items = w.purchases(shop.id, 700);
    const outcome = await w.store.events.accept(
      items,
      budget(instanceNo, { share: 300, bytes: 10_000_000 }),
    );
    assert.equal(accepted(outcome), 700);
    assert.equal(outcome.preLeased.length + outcome.notPreLeased, 4900);
    for (const { no } of shop.hooks) {
      assert.equal(outcome.preLeased.filter((delivery) => delivery.webhookNo === no).length, 300);
    }
    const seqs = outcome.results.map((result) => parseEventId(idOf(result))?.seq ?? 0);
    assert.deepEqual(
      seqs,
      [...seqs].sort((a, b) => a - b),
      "numbers follow the array",
    );
    await w.deliver(instanceNo, outcome.preLeased);
    await w.drain(instanceNo);
  });

  test("without an instance, and with a dead one, events are stored and wait for a claim", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await w.store.instances.end(instanceNo);
    for (const lease of [null, budget(instanceNo)]) {
      const outcome = await w.store.events.accept(w.purchases(shop.id), lease);
      assert.deepEqual(
        [accepted(outcome), outcome.preLeased.length, outcome.notPreLeased],
        [1, 0, 1],
      );
    }
  });

  test("deliveries that are held, or behind another, are told apart from those that a claim would find", async () => {
    const shop = await w.shop();
    const held = await w.shop();
    for (const hook of held.hooks) await w.store.webhooks.pause(hook.id, null);
    const user = w.user();
    const { notPreLeased, claimable, blocked } = await w.store.events.accept(
      [
        event(shop.id, "purchase", user),
        event(shop.id, "removed", user),
        event(held.id, "purchase", user),
      ],
      null,
    );
    assert.deepEqual([notPreLeased, claimable, blocked.length], [3, 1, 1]);
  });

  test("an item that brings a new owner hands the resource over before it is stored", async () => {
    const shop = await w.shop(1);
    const [heir, last] = [w.name("owner"), w.name("owner")];
    const bring = (ownerId: string) => ({ resource: { title: "T", subtitle: "", ownerId } });
    const results = await w.report([
      event(shop.id, "purchase", 1),
      event(shop.id, "purchase", 2, bring(heir)),
      event(shop.id, "purchase", 3, bring(last)),
    ]);
    assert.deepEqual(
      results.map((result) => (result.kind === "accepted" ? result.deliveries : result.kind)),
      [1, 0, 0],
    );
    assert.equal((await w.store.resources.find(shop.id))?.ownerId, last);
    const hook = await w.store.webhooks.get(shop.hook.id, null);
    assert.deepEqual([hook.state, hook.disabledReason], ["disabled", "owner_changed"]);
  });

  test("an event is found by its id, by the marketplace and its resource's owner only", async () => {
    const shop = await w.shop(0);
    const user = w.user();
    const [id = ""] = await w.accept([
      event(shop.id, "purchase", user, { details: '{"orderId":"7"}' }),
    ]);
    const found = await w.store.events.find(id, shop.ownerId);
    const { seq = 0 } = parseEventId(found?.eventId ?? "") ?? {};
    assert.deepEqual([...(await w.store.events.details([seq, seq + 1]))], [[seq, found?.details]]);
    assert.deepEqual(
      [found?.eventId, found?.resourceId, found?.name, found?.userId, found?.details],
      [id, shop.id, "product.user.purchase", user, '{"orderId":"7"}'],
    );
    assert.equal((await w.store.events.find(id, null))?.eventId, id);
    assert.equal(await w.store.events.find(id, "stranger"), null);
    assert.equal(await w.store.events.find(`${id.slice(0, -1)}!`, null), null);
  });
}

function idOf(result: { kind: string; eventId?: string } | undefined): string {
  return result?.eventId ?? "";
}

async function counts(w: World): Promise<number[]> {
  const tables = ["events", "leased", "pending", "idempotency_keys", "first_downloads"] as const;
  const found: number[] = [];
  for (const table of tables) found.push((await w.harness.rows(table)).length);
  return found;
}

function hexOf(bytes: unknown): string {
  assert.ok(bytes instanceof Uint8Array);
  return Buffer.from(bytes).toString("hex");
}
