import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeApiKey } from "@markethook/api/tokens";
import { freePort } from "@markethook/protocol/testing";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

test("the key in MARKETHOOK_API_KEY is valid from the first request on, at the very first start", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const [port, key] = [await freePort(), makeApiKey(randomBytes)];
  const starting = startServiceProcess({
    ...place.env,
    MARKETHOOK_API_KEY: key,
    MARKETHOOK_PORT: String(port),
  });
  const ask = async (): Promise<number | null> =>
    await fetch(`http://127.0.0.1:${port}/v1/webhooks`, {
      headers: { authorization: `Bearer ${key}` },
    }).then(
      ({ status }) => status,
      () => null, // Nothing listens yet.
    );
  let first: number | null = null;
  // Nothing tells that a port is listened on; the service says so later.
  for (; first === null; await pause(2)) first = await ask();
  const service = await starting;
  service.signal("SIGTERM");
  assert.equal(await service.exited, 0);
  assert.equal(first, 200);
});
