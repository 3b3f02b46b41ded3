/**
 * `emit` and `import` took the last of two members with one name. `emit` cut lines at U+2028, did not know a byte order
 * mark, and replaced bytes that are not UTF-8. One line with a name that the API refuses stopped an import.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startCommand } from "./command-process.ts";
import { rejections } from "./import-samples.ts";
import { client, folder, markethook, service, useCommands } from "./use-commands.ts";

useCommands();

function castle(title: string, key: string): string {
  const resource = { title, subtitle: "", ownerId: "1001" };
  const event = { resourceId: "castle", event: "product.user.purchase", user: { id: 1 } };
  return JSON.stringify({ ...event, resource, idempotencyKey: key });
}

test("emit takes each line as it stands, and refuses one that names a member twice", async () => {
  const file = join(folder, "events.jsonl");
  const twice = castle("Castle", "line-3").replace('"user":', '"user":{"id":2},"user":');
  const latin = Buffer.from(castle("Caf\u00e9", "line-4"), "latin1");
  writeFileSync(file, `\ufeff${castle("Castle", "line-1")}\r\n${castle("A\u2028B", "line-2")}\n`);
  writeFileSync(file, Buffer.concat([Buffer.from(`${twice}\n`), latin]), { flag: "a" });
  const { code, stdout, stderr } = await markethook.run(`emit --from ${file} --verbose`);
  assert.equal(code, 1);
  const [first, second, third, fourth] = stdout.split("\n");
  assert.match(first ?? "", /^line 1: accepted /);
  assert.match(second ?? "", /^line 2: accepted /);
  assert.match(third ?? "", /^line 3: rejected at \/user\. .* twice\. .*\[json_duplicate_key\]$/);
  assert.match(fourth ?? "", /^line 4: rejected\. The line is not UTF-8\. .*\[json_invalid\]$/);
  assert.equal(stderr, "4 events: 2 accepted, 0 duplicates, 2 rejected.\n");
  assert.equal((await client.resources.get("castle")).title, "A\u2028B");
});

test("an import goes on after lines with members that the API refuses", async () => {
  const file = join(folder, "all.jsonl");
  const resource = '{"kind":"resource","id":"moat","title":"Moat","ownerId":"1001"';
  writeFileSync(file, `${resource},"ownerId":"1002"}\n${resource},"__proto__":{}}\n${resource}}\n`);
  const { code, stdout } = await markethook.run(`import ${file}`);
  assert.equal(code, 1);
  assert.match(stdout, /resources +1 +0 +0 +0\n.*other lines +0 +0 +0 +2/s);
  assert.deepEqual(
    rejections(`${file}.rejected.jsonl`).map(({ line, code: of, pointer }) => [line, of, pointer]),
    [
      [1, "json_duplicate_key", "/ownerId"],
      [2, "json_forbidden_key", "/__proto__"],
    ],
  );
});

test("an option's JSON that names a member twice is wrong usage", async () => {
  const { code, stderr } = await markethook.run(
    `emit castle product.user.purchase --user 1 --details '{"amount":"1","amount":"2"}'`,
  );
  assert.equal(code, 2);
  assert.match(stderr, /'--details <json>'.*has the same key twice/);
});

for (const command of ["emit --from -", "import -"]) {
  test(`Ctrl-C ends ${command} while it waits for input`, async () => {
    const env = { MARKETHOOK_API_URL: service.address, MARKETHOOK_API_KEY: service.apiKey };
    const half = Buffer.alloc(2_000_000, "{");
    const waiting = startCommand(command.split(" "), { env, input: half, inputStaysOpen: true });
    await waiting.inputTaken;
    waiting.signal("SIGINT");
    const { code, stderr } = await waiting.ended;
    assert.equal(code, 130);
    assert.match(stderr, /^Stopped/);
  });
}
