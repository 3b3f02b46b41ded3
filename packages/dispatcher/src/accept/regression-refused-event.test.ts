import assert from "node:assert/strict";
import { test } from "node:test";
import { execute } from "@markethook/store/testing";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { postgresWorld } from "../wiring/testing/world.ts";

test("a report that the database refuses fails alone: those that share its commit are accepted and delivered", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  await world.store.resources.put([
    { id: "ruin", ownerId: world.ownerId, title: "Ruin", subtitle: "" },
  ]);
  await execute(world.url, "update resources set file_version = '{' where id = 'ruin'");
  const { dispatcher, seen } = await world.instance();
  const good = [1, 2, 3, 4].map((userId) => dispatcher.accept([world.purchase(userId)]));
  const bad = assert.rejects(dispatcher.accept([world.purchase(5, "ruin")]), /ruin/);
  good.push(dispatcher.accept([world.purchase(6)]));
  await bad;
  const kinds = (await Promise.all(good)).flat().map(({ kind }) => kind);
  assert.deepEqual(new Set(kinds), new Set(["accepted"]));
  await world.settledAs(seen, "delivered", 5);
});
