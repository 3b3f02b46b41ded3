import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { postgresPlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

test("a key revoked on one instance soon opens nothing on another, and its last use is told", async (t) => {
  const place = await postgresPlace();
  const one = await startServiceProcess(place.env);
  const other = await startServiceProcess(place.env);
  t.after(async () => {
    for (const service of [one, other]) await service.kill();
    await place.drop();
  });
  const made = await one.api("POST", "/api-keys", {
    name: "short-lived",
    scopes: ["resources:read"],
  });
  const { id, key } = made as { id: string; key: string };
  const use = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${other.address}/v1/resources`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  assert.equal(await use(), 200);
  await one.api("DELETE", `/api-keys/${id}`);
  const revokedAt = performance.now();
  let status = await use();
  while (status === 200) {
    await pause(10);
    status = await use();
  }
  assert.equal(status, 401);
  t.diagnostic(`refused ${Math.round(performance.now() - revokedAt)} ms after it was revoked`);
  assert.equal(await use(), 401);
  const { items } = (await one.api("GET", "/api-keys")) as {
    items: { id: string; lastUsedAt: string | null; revokedAt: string | null }[];
  };
  const listed = items.find((item) => item.id === id);
  assert.ok(listed?.lastUsedAt);
  assert.ok(listed.revokedAt);
});
