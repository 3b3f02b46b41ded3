import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Gate, startGate } from "../gate.ts";
import { runCommand } from "./command-process.ts";
import { client, service, useCommands } from "./use-commands.ts";

useCommands();

/**
 * `emit --from` gave up when the service was away for a second, and then printed a line for each event that it had not
 * sent.
 */
async function emit(t: TestContext, treat: Gate["treat"]) {
  const gate = await startGate(service.address);
  t.after(() => gate.close());
  await client.resources.put("castle", { title: "Castle", ownerId: "1001" });
  gate.treat = treat;
  const event = { resourceId: "castle", event: "product.user.purchase" };
  const lines = Array.from({ length: 50 }, (_, i) => i + 1).map((id) =>
    JSON.stringify({ ...event, user: { id }, idempotencyKey: `line-${id}` }),
  );
  return await runCommand(["emit", "--from", "-", "--batch-size", "10"], {
    env: { MARKETHOOK_API_URL: gate.url, MARKETHOOK_API_KEY: service.apiKey },
    input: lines.join("\n"),
  });
}

test("a service that goes away between batches is waited for", async (t) => {
  const { code, stdout, stderr } = await emit(t, (number) =>
    number >= 3 && number <= 6 ? "drop" : "pass",
  );
  assert.deepEqual([code, stdout], [0, ""]);
  assert.equal(stderr, "50 events: 50 accepted, 0 duplicates, 0 rejected.\n");
});

test("lines that were not sent are told together", async (t) => {
  const { code, stdout, stderr } = await emit(t, () => "drop");
  assert.equal(code, 3);
  assert.equal(
    stdout,
    "lines 1 to 10: not known to be stored; report again with the same key\n" +
      "lines 11 to 50: not sent, because an earlier batch failed\n",
  );
  assert.match(stderr, /^50 events: 0 accepted, 0 duplicates, 0 rejected, 50 failed\.\n/);
});
