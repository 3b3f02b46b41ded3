import assert from "node:assert/strict";
import { test } from "node:test";
import type { Webhook, WebhookChange } from "../port/webhooks.ts";
import { only, refused, withCode } from "./checks.ts";
import { event } from "./reports.ts";
import type { World } from "./world.ts";

const OLD = "old-secret-old-secret-old-secret-old-secret-old!";
const NEW = "bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQtbmV3";

export function testWebhooks(w: World): void {
  test("a webhook is created, read, changed, listed newest first and deleted", async () => {
    const shop = await w.shop(3);
    const [first, second, third] = shop.hooks;
    const id = second?.id ?? "";
    assert.deepEqual(await w.store.webhooks.get(id, shop.ownerId), second);
    const events = ["product.user.purchase", "product.update"] as const;
    const changed = await w.store.webhooks.change(id, shop.ownerId, {
      events: [...events],
      description: "my bot",
    });
    assert.deepEqual(new Set(changed.events), new Set(events));
    assert.equal(changed.description, "my bot");
    assert.equal((await w.store.webhooks.change(id, null, { events: null })).events, null);
    const filter = { ownerId: shop.ownerId, resourceId: shop.id };
    const page = await w.store.webhooks.list({ ...filter, limit: 2 });
    assert.deepEqual(ids(page), [third?.id, id]);
    const rest = await w.store.webhooks.list({ ...filter, afterNo: page[1]?.no ?? 0, limit: 2 });
    assert.deepEqual(ids(rest), [first?.id]);
    await w.store.webhooks.delete(id, shop.ownerId);
    await refused(w.store.webhooks.get(id, null), "not_found");
    assert.deepEqual(ids(await w.store.webhooks.list({ ...filter, limit: 9 })), [
      third?.id,
      first?.id,
    ]);
  });

  test("whether a resource has a URL can be asked without the webhook that gets it", async () => {
    const shop = await w.shop(1);
    const { id } = shop.hook;
    const url = await w.store.webhooks.revealUrl(id, null);
    const of = { ownerId: shop.ownerId, resourceId: shop.id, url };
    assert.equal(await w.store.webhooks.hasUrl(of), true);
    assert.equal(await w.store.webhooks.hasUrl({ ...of, exceptId: id }), false);
  });

  test("a change that expects what somebody else has changed changes nothing", async () => {
    const shop = await w.shop(1);
    const { hook } = shop;
    const { webhooks } = w.store;
    const change = async (given: WebhookChange) => await webhooks.change(hook.id, null, given);
    const seen = { urlVersion: hook.urlVersion, events: null, description: hook.description };
    const chosen = ["product.update", "product.user.purchase"] as const;
    await change({ events: [...chosen], expected: seen });
    await change({ description: "mine", expected: { description: hook.description } });
    for (const given of [
      { events: null, expected: seen },
      { description: "theirs", expected: { description: hook.description } },
      { description: "theirs", expected: { urlVersion: "another" } },
      { description: "theirs", expected: { chat: "{}" } },
    ]) {
      await refused(change(given), "webhook_changed");
    }
    const now = await webhooks.get(hook.id, null);
    assert.deepEqual([now.description, new Set(now.events)], ["mine", new Set(chosen)]);
    const reordered = [...chosen].reverse();
    const both = {
      urlVersion: hook.urlVersion,
      events: reordered,
      description: "mine",
      chat: "null",
    };
    assert.equal((await change({ description: "ours", expected: both })).description, "ours");
    const race = ["a", "b", "c"].map(
      async (description) => await change({ description, expected: { description: "ours" } }),
    );
    const results = await Promise.allSettled(race);
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
  });

  test("a webhook that gets the details of events says so wherever it is read, and its copies do too", async () => {
    const shop = await w.shop(0);
    const { webhooks } = w.store;
    const hook = await w.webhook(shop.id, { includeDetails: true });
    const plain = await w.webhook(shop.id);
    const told = async (id: string) => (await webhooks.get(id, null)).includeDetails;
    assert.deepEqual([await told(hook.id), await told(plain.id)], [true, false]);
    const sendable = await webhooks.forSending([hook.no, plain.no]);
    assert.deepEqual(
      sendable.toSorted((a, b) => a.no - b.no).map((one) => one.includeDetails),
      [true, false],
    );
    const other = await w.resource(shop.ownerId);
    const copy = { id: w.name("wh"), resourceId: other.id, secret: OLD };
    assert.equal((await webhooks.copy(hook.id, null, copy)).includeDetails, true);
    const stale = { includeDetails: true, expected: { includeDetails: true } };
    await refused(webhooks.change(plain.id, null, stale), "webhook_changed");
    const change = { includeDetails: false, expected: { includeDetails: true } };
    assert.equal((await webhooks.change(hook.id, null, change)).includeDetails, false);
    assert.equal((await webhooks.change(hook.id, null, { description: "" })).includeDetails, false);
  });

  test("a URL that differs in its path alone is another one, and the same one that is saved again is not", async () => {
    const { webhooks } = w.store;
    const { hook } = await w.shop();
    const change = async (path: string, urlVersion: string) =>
      await webhooks.change(hook.id, null, {
        url: `https://receiver.example/${path}`,
        expected: { urlVersion },
      });
    const first = await change("first-path", hook.urlVersion);
    assert.equal(first.url, hook.url);
    assert.notEqual(first.urlVersion, hook.urlVersion);
    await refused(change("second-path", hook.urlVersion), "webhook_changed");
    assert.equal(await webhooks.revealUrl(hook.id, null), "https://receiver.example/first-path");
    assert.equal((await change("first-path", first.urlVersion)).urlVersion, first.urlVersion);
    const twin = await webhooks.change((await w.webhook(hook.resourceId)).id, null, {
      url: "https://receiver.example/first-path",
    });
    assert.notEqual(twin.urlVersion, first.urlVersion);
  });

  test("to another owner every webhook is absent, whatever he does with it", async () => {
    const shop = await w.shop(1);
    const id = shop.hook.id;
    const { webhooks, log } = w.store;
    const filter = { webhookId: id, ownerId: "stranger", from: 0, to: 1, states: [] };
    for (const act of [
      () => webhooks.get(id, "stranger"),
      () => webhooks.change(id, "stranger", { description: "" }),
      () => webhooks.delete(id, "stranger"),
      () => webhooks.pause(id, "stranger"),
      () => webhooks.resume(id, "stranger", "send"),
      () => webhooks.resume(id, "stranger", "drop"),
      () => webhooks.revealSecrets(id, "stranger"),
      () => webhooks.rotate(id, "stranger", { secret: NEW, mode: "switch_now" }),
      () => webhooks.switchSecret(id, "stranger"),
      () => webhooks.cancelRotation(id, "stranger"),
      () => log.reservePing(id, "stranger"),
      () => log.countReplay(filter),
      () => log.replayStep(filter, 0, 10),
    ]) {
      await refused(act(), "not_found");
    }
    await refused(
      w.store.webhooks.create({ ...INPUT, id: "wh_x", resourceId: shop.id }, "stranger"),
      "resource_unknown",
    );
    assert.deepEqual(await webhooks.list({ ownerId: "stranger", limit: 10 }), []);
    assert.equal((await webhooks.get(id, null)).state, "active");
  });

  test("a resource has at most 100 webhooks, also when they are created at the same time", async () => {
    const shop = await w.shop(97);
    const created = await Promise.allSettled(
      Array.from({ length: 8 }, async () => await w.webhook(shop.id)),
    );
    const refused = created.filter((one) => one.status === "rejected");
    assert.equal(created.length - refused.length, 3);
    assert.ok(refused.every((one) => withCode("webhook_limit_reached")(one.reason)));
    await w.store.webhooks.delete(shop.hook.id, null);
    await w.webhook(shop.id);
  });

  test("a webhook gets the events that its owner chose, and those that it was created for", async () => {
    const shop = await w.shop(0);
    const chosen = await w.webhook(shop.id, { events: ["product.user.purchaseRemoved"] });
    const every = await w.webhook(shop.id);
    const instanceNo = await w.instanceNo();
    const preLeased = await w.lease(instanceNo, [
      event(shop.id, "purchase", 1),
      event(shop.id, "removed", 2),
    ]);
    assert.deepEqual(
      preLeased.map((delivery) => [delivery.webhookNo, delivery.eventName]),
      [
        [every.no, "product.user.purchase"],
        [chosen.no, "product.user.purchaseRemoved"],
        [every.no, "product.user.purchaseRemoved"],
      ],
    );
  });

  test("a changed URL leaves a notice with the hosts only", async () => {
    const shop = await w.shop(1);
    const id = shop.hook.id;
    await w.store.webhooks.change(id, null, { url: "https://other.example/token-in-path" });
    await w.store.webhooks.change(id, null, { url: "https://other.example/token-in-path" });
    const notice = only(await w.notices(shop.ownerId));
    assert.deepEqual(
      [notice.kind, notice.webhookId, notice.detail],
      ["webhook_url_changed", id, { fromHost: "receiver.example", toHost: "other.example" }],
    );
  });

  test("the sender hears of every change that matters to it", async () => {
    const shop = await w.shop(1);
    const { id, no } = shop.hook;
    const told: number[] = [];
    let ready = 0;
    w.store.onHint((hint) => {
      if (hint.kind === "webhooks") told.push(...hint.nos);
      else if (hint.kind === "ready") ready += 1;
    });
    const { webhooks, resources } = w.store;
    const steps: (() => Promise<unknown>)[] = [
      () => webhooks.pause(id, null),
      () => webhooks.resume(id, null, "send"),
      () => webhooks.change(id, null, { url: "https://b.example" }),
      () => webhooks.rotate(id, null, { secret: NEW, mode: "switch_now" }),
      () => resources.put([{ id: shop.id, ownerId: w.name("owner"), title: "T", subtitle: "" }]),
      () => webhooks.delete(id, null),
    ];
    for (const step of steps) {
      const before = told.length;
      await step();
      assert.ok(told.slice(before).includes(no), String(step));
    }
    assert.ok(ready >= 1, "resuming makes held deliveries ready");
  });
}

const INPUT = {
  url: "https://receiver.example",
  format: "json",
  events: null,
  description: "",
  secret: OLD,
} as const;

function ids(webhooks: readonly Webhook[]): string[] {
  return webhooks.map((webhook) => webhook.id);
}
