import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api/tokens";
import { runCommand } from "../cli/command-process.ts";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

/** The last key that could make keys was revoked without a question, and no page said how to get back in. */
test("the last key that makes keys is revoked with --yes only, stays revoked at a restart, and a new one set at the start leads back", async (t) => {
  const place = await sqlitePlace();
  const [first, second] = [makeApiKey(randomBytes), makeApiKey(randomBytes)];
  let service: Awaited<ReturnType<typeof startServiceProcess>> | null = null;
  const start = async (apiKey: string) => {
    service?.signal("SIGTERM");
    await service?.exited;
    service = await startServiceProcess({ ...place.env, MARKETHOOK_API_KEY: apiKey });
    return service;
  };
  t.after(async () => {
    service?.signal("SIGKILL");
    await place.drop();
  });
  const listWith = async (address: string, key: string) =>
    await fetch(`${address}/v1/api-keys`, { headers: { authorization: `Bearer ${key}` } });

  const { address } = await start(first);
  const { items } = (await (await listWith(address, first)).json()) as { items: { id: string }[] };
  const id = items[0]?.id ?? "";
  const env = { MARKETHOOK_API_KEY: first, MARKETHOOK_API_URL: address };
  const refused = await runCommand(["keys", "revoke", id], { env });
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /last API key that can make other keys.*--yes/s);
  assert.equal((await listWith(address, first)).status, 200);
  const revoked = await runCommand(["keys", "revoke", id, "--yes"], { env });
  assert.equal(revoked.code, 0, revoked.stderr);

  const again = await start(first);
  assert.equal((await listWith(again.address, first)).status, 401);
  const recovered = await start(second);
  assert.ok(again.log.some(({ msg, keyId }) => keyId === id && /make-key/.test(String(msg))));
  assert.equal((await listWith(recovered.address, second)).status, 200);
});
