import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startGate } from "../gate.ts";
import { startCommand } from "./command-process.ts";
import { client, folder, markethook, service, useCommands } from "./use-commands.ts";

useCommands({}, () => client.resources.put("castle", { title: "Castle", ownerId: "1001" }));

function purchase(user: unknown, key: string): string {
  const event = { resourceId: "castle", event: "product.user.purchase", user: { id: user } };
  return JSON.stringify({ ...event, idempotencyKey: key });
}

test("of a file each line gets its result, and the same file again changes nothing", async () => {
  const file = join(folder, "events.jsonl");
  const lines = Array.from({ length: 2500 }, (_, i) => purchase(i + 1, `order-${i}`));
  lines[6] = purchase("x", "order-6");
  lines[9] = '{"resourceId":';
  lines.splice(3, 0, "");
  writeFileSync(file, lines.join("\n"));
  const first = await markethook.run(`emit --from ${file}`);
  assert.equal(first.code, 1);
  assert.match(
    first.stdout,
    /^line 8: rejected at \/user\/id\. .*\[user_id_not_integer\]\nline 11: rejected\. .*\[json_invalid\]\n$/,
  );
  assert.equal(first.stderr, "2500 events: 2498 accepted, 0 duplicates, 2 rejected.\n");
  const again = await markethook.run(`emit --from ${file} --json`);
  assert.equal(again.code, 1);
  const results = again.stdout.trim().split("\n");
  assert.equal(results.length, 2500);
  assert.deepEqual(
    results.slice(0, 4).map((line) => JSON.parse(line).line),
    [1, 2, 3, 5],
  );
  assert.match(again.stderr, /0 accepted, 2498 duplicates, 2 rejected/);
});

test("from standard input too, and lines without a key are warned about", async () => {
  const line = '{"resourceId":"castle","event":"product.user.purchase","user":{"id":1}}\r\n';
  const { code, stdout, stderr } = await markethook.run("emit --from - --verbose", line);
  assert.equal(code, 0);
  assert.match(stdout, /^line 1: accepted evt_\w+, for 0 webhooks\n$/);
  assert.match(stderr, /1 accepted without an idempotencyKey/);
  const empty = await markethook.run("emit --from -", "");
  assert.deepEqual([empty.code, empty.stdout], [0, ""]);
});

test("files that cannot be read, and mixtures of one and many, are wrong usage", async () => {
  const [missing, folderRead, mixed] = await Promise.all([
    markethook.run(`emit --from ${folder}/nothing`),
    markethook.run(`emit --from ${folder}`),
    markethook.run("emit castle --from -"),
  ]);
  assert.deepEqual([missing.code, folderRead.code, mixed.code], [2, 2, 2]);
  assert.match(missing.stderr, /There is no file .*nothing\./);
});

test("interrupted half-way, it tells what is stored", async (t) => {
  const gate = await startGate(service.address);
  t.after(() => gate.close());
  gate.treat = (number) => (number === 2 ? "withhold" : "pass");
  const withheld = gate.withheld();
  const input = Array.from({ length: 30 }, (_, i) => purchase(i + 1, `stop-${i}`)).join("\n");
  const env = { MARKETHOOK_API_URL: gate.url, MARKETHOOK_API_KEY: service.apiKey };
  const command = startCommand(["emit", "--from", "-", "--batch-size", "10"], { env, input });
  await withheld;
  command.signal("SIGINT");
  const { code, stderr } = await command.ended;
  assert.equal(code, 130);
  assert.match(
    stderr,
    /^Stopped\. 10 events: 10 accepted, .* Events that were on their way may be stored too\.\n$/,
  );
});
