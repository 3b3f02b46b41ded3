import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

test("a staging copy shows the request of a sample and of its details, and sends none", async (t) => {
  const world = await sqliteWorld(t);
  const dryRun = { mayGo: async () => await Promise.resolve(false) };
  const { dispatcher } = await world.instance({ dryRun });
  const receiver = await startReceiver(t, 204);
  const { id } = await world.webhook(receiver.url(), { includeDetails: true });
  const sample = { event: "product.user.purchase", userId: 4711 } as const;
  const shown = await dispatcher.sendSample(id, null, { ...sample, dryRun: true });
  assert.deepEqual([shown.sent, shown.response], [false, null]);
  const { payload } = JSON.parse(shown.request.body) as {
    payload: { user: { id: number }; details: object };
  };
  assert.equal(payload.user.id, 4711);
  assert.notDeepEqual(payload.details, {});
  await assert.rejects(dispatcher.sendSample(id, null, { ...sample, dryRun: false }), (error) =>
    isMarkethookError(error, "dry_run"),
  );
  await assert.rejects(dispatcher.ping(id, null, "current"), (error) =>
    isMarkethookError(error, "dry_run"),
  );
  assert.equal(receiver.arrivals.length, 0);
});
