import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { runCampaign } from "./campaign.ts";
import { makeRequest } from "./make-request.ts";
import { createRandom } from "./random.ts";
import { openWorld } from "./world.ts";

const REQUESTS = 1500;

/** `npm run fuzz` sends as many as one likes; this is a sample of them, another one every time. */
for (const [database, open] of [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const) {
  test(`${database}: no made-up request gets a 500, shows insides, stays without an answer or ends the service`, async (t) => {
    const world = await openWorld(await open());
    t.after(() => world.close());
    const campaign = await runCampaign(world, {
      seed: Date.now() % 1_000_000,
      from: 0,
      requests: REQUESTS,
      concurrency: 8,
    });
    assert.equal(campaign.faults.join("\n"), "");
    assert.equal(campaign.sent, REQUESTS);
    const { size } = campaign.reached;
    t.diagnostic(`${size} of ${world.api.operations.length} operations were not only refused`);
    assert.ok(size > world.api.operations.length / 2);
  });
}

test("the same seed and number make the same request", () => {
  const body = {
    type: "object",
    properties: { name: { type: "string" }, no: { type: "integer" } },
  };
  const about = { operationId: "x", method: "PUT", path: "/v1/x/{id}", kind: "x" };
  const known: Parameters<typeof makeRequest>[1] = {
    api: {
      operations: [
        { ...about, query: [{ name: "q", schema: {} }], body, statuses: new Set([200]) },
      ],
      schemas: {},
    },
    receiverUrl: "http://127.0.0.1:1/",
    apiKey: "k",
    actors: { key: "k", eventsOnly: "e", revoked: "r", owner: "o", bound: "b", foreign: "f" },
    ids: { x: ["a", "b"] },
    cursors: ["abc"],
  };
  const make = (seed: number, index: number) => makeRequest(createRandom(seed, index), known);
  for (let i = 0; i < 500; i += 1) assert.deepEqual(make(7, i), make(7, i));
  assert.notDeepEqual(make(7, 1), make(7, 2));
  assert.notDeepEqual(make(7, 1), make(8, 1));
});
