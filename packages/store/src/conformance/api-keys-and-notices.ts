import assert from "node:assert/strict";
import { test } from "node:test";
import { only } from "./checks.ts";
import { each } from "./lists.ts";
import type { World } from "./world.ts";

export function testApiKeysAndNotices(w: World): void {
  test("an API key is found by its hash, listed, touched and revoked once", async () => {
    const { apiKeys } = w.store;
    const hash = w.name("hash");
    const key = { id: w.name("key"), name: "CI", scopes: ["events", "admin"], hash, expiresAt: 5 };
    const created = await apiKeys.create(key);
    assert.deepEqual(
      { ...created, createdAt: 0 },
      {
        id: key.id,
        name: "CI",
        scopes: ["events", "admin"],
        createdAt: 0,
        expiresAt: 5,
        revokedAt: null,
        hasEnded: true,
        lastUsedAt: null,
        addresses: [],
      },
    );
    assert.deepEqual(await apiKeys.findByHash(hash), created);
    assert.equal(await apiKeys.findByHash("other"), null);
    await apiKeys.touch(key.id);
    assert.notEqual((await apiKeys.findByHash(hash))?.lastUsedAt, null);
    const second = { ...key, id: w.name("key"), hash: w.name("hash") };
    assert.equal(await apiKeys.createFirst(second), false);
    assert.equal(await apiKeys.findByHash(second.hash), null);
    assert.equal(await apiKeys.revoke(key.id, true), "revoked");
    assert.equal(await apiKeys.revoke(key.id, true), "absent");
    assert.equal(await apiKeys.revoke("absent", false), "absent");
    const listed = only((await apiKeys.list()).filter((one) => one.id === key.id));
    assert.notEqual(listed.revokedAt, null);
  });

  test("a key has ended when it was revoked, or has expired by the database's clock", async () => {
    const { apiKeys } = w.store;
    const make = async (expiresAt: number | null) => {
      const key = { id: w.name("key"), name: "CI", scopes: [], hash: w.name("hash"), expiresAt };
      const { id } = await apiKeys.create(key);
      const hasEnded = async () => (await apiKeys.findByHash(key.hash))?.hasEnded;
      return { id, hasEnded };
    };
    const [lasting, expiring] = [
      await make(null),
      await make((await w.store.maintenance.now()) + 60_000),
    ];
    assert.deepEqual([await lasting.hasEnded(), await expiring.hasEnded()], [false, false]);
    await w.harness.advance(60_000);
    assert.deepEqual([await lasting.hasEnded(), await expiring.hasEnded()], [false, true]);
    await apiKeys.revoke(lasting.id, true);
    assert.equal(await lasting.hasEnded(), true);
  });

  test("a key keeps the addresses that it may be used from", async () => {
    const addresses = ["192.0.2.0/24", "2001:db8::/32"];
    const hash = w.name("hash");
    const key = { id: w.name("key"), name: "CI", scopes: ["admin"], hash, expiresAt: null };
    assert.deepEqual((await w.store.apiKeys.create({ ...key, addresses })).addresses, addresses);
    assert.deepEqual((await w.store.apiKeys.findByHash(hash))?.addresses, addresses);
  });

  test("a key without scopes has none, and two keys never share a hash", async () => {
    const hash = w.name("hash");
    const key = { id: w.name("key"), name: "", scopes: [], hash, expiresAt: null };
    assert.deepEqual((await w.store.apiKeys.create(key)).scopes, []);
    await assert.rejects(w.store.apiKeys.create({ ...key, id: w.name("key") }));
  });

  test("the last key that can make keys is revoked only where that is said, even when two are revoked at once", async () => {
    const { apiKeys } = w.store;
    // Of other tests.
    for (const { id } of await apiKeys.list()) await apiKeys.revoke(id, true);
    const make = async (scopes: string[], expiresAt: number | null = null): Promise<string> => {
      const id = w.name("key");
      await apiKeys.create({ id, name: "", scopes, hash: w.name("hash"), expiresAt });
      return id;
    };
    const [one, two] = [await make(["events:write", "admin"]), await make(["admin"])];
    const [other, expired] = [await make(["events:write"]), await make(["admin"], 5)];
    const outcomes = await Promise.all([apiKeys.revoke(one, false), apiKeys.revoke(two, false)]);
    assert.deepEqual(outcomes.toSorted(), ["last", "revoked"]);
    const last = outcomes[0] === "last" ? one : two;
    assert.equal(await apiKeys.revoke(last, false), "last");
    assert.equal(await apiKeys.revoke(other, false), "revoked");
    assert.equal(await apiKeys.revoke(expired, false), "revoked");
    assert.equal(await apiKeys.revoke(last, true), "revoked");
    assert.equal(await apiKeys.revoke(last, false), "absent");
  });

  test("notices come oldest first, above a number, for one owner or for all", async () => {
    const shops = [await w.shop(), await w.shop()];
    for (const url of ["https://a.example", "https://b.example"]) {
      for (const shop of shops) {
        await w.store.webhooks.change(shop.hook.id, null, { url });
      }
    }
    const [one, two] = shops;
    const mine = await w.notices(one?.ownerId ?? "");
    assert.deepEqual(
      mine.map((notice) => notice.detail["toHost"]),
      ["a.example", "b.example"],
    );
    const [first] = mine;
    const rest = await w.store.notices.list(first?.no ?? 0, 1000, null);
    assert.deepEqual(each(rest, "ownerId"), [two?.ownerId, one?.ownerId, two?.ownerId]);
    assert.equal((await w.store.notices.list(first?.no ?? 0, 2, null)).length, 2);
    assert.ok(rest.every((notice) => notice.createdAt > 0 && notice.no > (first?.no ?? 0)));
  });
}
