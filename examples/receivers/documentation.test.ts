/** The pages for a receiver's developer are run: their snippets, the request and the tables. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "@markethook/protocol/testing";
import { CAUSE_CODES } from "@markethook/receiver/explain";
import { signTestRequest } from "@markethook/receiver/testing";
import { startReceiver } from "./start-receiver.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const page = (...path: string[]): string => readFileSync(join(ROOT, "docs", ...path), "utf8");
const troubles = page("reference", "verification-failures.md");
const text = [
  page("how-to", "receive-and-verify.md"),
  page("how-to", "test-a-receiver.md"),
  page("reference", "requests.md"),
].join("\n");

function snippet(language: string, containing: string): string {
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  const found = blocks.find(([, own, block]) => own === language && block?.includes(containing));
  return found?.[2] ?? assert.fail(`There is no ${language} snippet with ${containing}.`);
}

/** The vector that the page shows; its secret stands below it. */
const vector = JSON.parse(
  readFileSync(join(ROOT, "vectors", "product-user-purchase.json"), "utf8"),
  // Made by tools/vectors.ts in this form.
) as {
  secret: string;
  request: { method: string; target: string; headers: [string, string][]; body: string };
};
const { secret, request } = vector;

test("the request shown is the golden vector of a purchase, and its secret is named", () => {
  const head = request.headers.map(([name, value]) => `${name}: ${value}`);
  const lines = [`${request.method} ${request.target} HTTP/1.1`, ...head, "", request.body, ""];
  assert.equal(snippet("http", "POST"), lines.join("\n"));
  assert.ok(text.includes(`\`${secret}\``));
});

test("every header that is sent has a row", () => {
  for (const [name] of request.headers) {
    if (name !== "Host") assert.match(text, new RegExp(`^\\|.*\`${name}\`.*\\|`, "m"), name);
  }
});

test("every cause and every code of the receiver library has a row, and no row is made up", () => {
  const errors = page("reference", "errors.md");
  const section = /^## The receiver library\n(.*?)^## /ms.exec(errors)?.[1] ?? "";
  const codes = [...section.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? "");
  assert.ok(codes.length > 8);

  const cells = [...troubles.matchAll(/^\| (`[a-z0-9_`, ]+`) +\|/gm)].map(([, cell]) => cell ?? "");
  const rows = cells.flatMap((cell) => cell.split(", ").map((code) => code.replaceAll("`", "")));
  assert.deepEqual(rows.sort(), [...codes, "internal", ...CAUSE_CODES].sort());
});

test("the receivers of the page are the tested examples, whole", () => {
  for (const [file, language] of [
    ["node.ts", "ts"],
    ["express.mjs", "js"],
    ["fastify.mjs", "js"],
    ["hono.mjs", "js"],
    ["next-route.ts", "ts"],
    ["receiver.php", "php"],
    ["receiver.py", "python"],
    ["Receiver.java", "java"],
    ["check-request.sh", "sh"],
  ] as const) {
    const code = readFileSync(join(import.meta.dirname, file), "utf8");
    assert.ok(text.includes(`\`\`\`${language}\n${code.trimEnd()}\n\`\`\``), file);
  }
});

test("the Node snippet takes what the testing snippet makes, and refuses it with another secret", async (context) => {
  const port = await freePort();
  const input = snippet("ts", "createNodeHandler");
  const receiver = await startReceiver({
    command: process.execPath,
    arguments: ["--input-type=module-typescript", "-"],
    input,
    port,
    secret: "test",
    ready: /^Listening on/,
  });
  context.after(() => receiver.stop());
  assert.match(snippet("ts", "signTestRequest"), /fetch\(request\.url, request\)/);
  const post = async (key: string): Promise<number> => {
    const request = signTestRequest({
      event: "product.user.purchase",
      secret: key,
      url: receiver.url,
    });
    return (await fetch(request.url, request)).status;
  };
  assert.equal(await post("test"), 204);
  assert.equal(await post("another"), 401);
});
