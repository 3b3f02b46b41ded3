import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { EVENT_NAMES } from "@markethook/protocol";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { verify } from "@markethook/receiver/node";
import { sqlitePlace } from "../places.ts";
import { runCommand } from "./command-process.ts";

const SECRET = "ceI2aH0rqmTz41vNQ8yJ5XwLkB7sUdGfP3RoE9tVxAbCnMiZ";

interface Got {
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const got: Got[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { url = "", headers } = request;
    got.push({ url, headers, body: Buffer.concat(chunks) });
    if (url === "/redirect") response.writeHead(302, { location: "/elsewhere" }).end();
    else if (url === "/hostile") response.writeHead(500).end("\u001b[2Jno");
    else if (url === "/drop") response.destroy();
    else response.end("thanks");
  });
});
let base = "";

before(async () => {
  base = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
after(() => server.close());

const trigger = async (...args: string[]) =>
  await runCommand(["trigger", ...args], { env: { MARKETHOOK_WEBHOOK_SECRET: SECRET } });

test("a sample of every event arrives as the service would send it", async () => {
  got.length = 0;
  const runs = await Promise.all(
    EVENT_NAMES.map((event) => trigger(event, "--to", `${base}/hooks?a=1`)),
  );
  for (const { code, stdout } of runs) {
    assert.equal(code, 0);
    assert.match(stdout, /X-Service-Signature: [0-9a-f]{64}\n/);
    assert.match(stdout, /→ 200 OK · \d+ ms\n[^]*thanks/);
  }
  const verified = got.map(({ url, headers, body }) => {
    assert.equal(url, "/hooks?a=1");
    const result = verify(body, headers, SECRET, { require: "standard" });
    return result.ok && result.kind === "event" ? result.event.event : result;
  });
  assert.deepEqual(new Set(verified), new Set(EVENT_NAMES));
});

test("members can be set, several be sent, and the service be called otherwise", async () => {
  got.length = 0;
  const line = `product.user.purchase --to ${base}/ --count 3 --service-name Market --resource-id my-plugin --json`;
  const set = ["--set", "user.id=42", "--set", "product.title=Neu"];
  const { code, stdout, stderr } = await trigger(...line.split(" "), ...set);
  assert.equal(code, 0);
  assert.match(stderr, /3 of 3 were answered with 2xx/);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { ok: boolean });
  assert.deepEqual(
    lines.map(({ ok }) => ok),
    [true, true, true],
  );
  const ids = got.map(({ headers, body }) => {
    const result = verify(body, headers, SECRET, { serviceName: "Market" });
    assert.ok(result.ok && result.kind === "event" && "user" in result.event.payload);
    assert.equal(result.event.payload.user.id, 42);
    assert.equal(result.event.payload.product.title, "Neu");
    assert.equal(
      result.event.payload.product.url,
      "https://marketplace.example/resource/my-plugin",
    );
    assert.equal(result.resourceId, "my-plugin");
    return result.id;
  });
  assert.equal(new Set(ids).size, 3);
});

test("anything but 2xx ends with 1: a redirect that is not followed, an error, no answer, nobody there", async () => {
  got.length = 0;
  const [redirect, hostile, drop, nobody] = await Promise.all([
    trigger("ping", "--to", `${base}/redirect`),
    trigger("ping", "--to", `${base}/hostile`),
    trigger("ping", "--to", `${base}/drop`),
    trigger("ping", "--to", "http://127.0.0.1:1/"),
  ]);
  assert.deepEqual(
    [redirect, hostile, drop, nobody].map(({ code }) => code),
    [1, 1, 1, 1],
  );
  assert.match(redirect.stdout, /302 Found .* redirects are not followed/);
  assert.ok(!got.some(({ url }) => url === "/elsewhere"));
  assert.match(hostile.stdout, /500 Internal Server Error[^]*\\u001b\[2Jno/);
  assert.ok(!hostile.stdout.includes("\u001b"));
  assert.match(drop.stdout, /closed the connection without an answer/);
  assert.match(nobody.stdout, /no answer · 127\.0\.0\.1:1: Nothing listens there/);
});

test("a recorded request is sent again as it was, or signed again", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const file = join(place.folder, "requests.jsonl");
  const body = Buffer.from('{"event":"ping", "odd": 1}\n');
  const line = {
    receivedAt: "2026-01-01T00:00:00Z",
    method: "POST",
    url: "/old",
    headers: [
      ["Host", "old.example"],
      ["webhook-id", "evt_1"],
      ["X-Service-Signature", "0".repeat(64)],
    ],
    body: body.toString("base64"),
  };
  writeFileSync(file, `${JSON.stringify(line)}\n`);
  got.length = 0;
  const as = await trigger("--recorded", file, "--to", `${base}/as`);
  const again = await trigger("--recorded", file, "--to", `${base}/again`, "--resign");
  assert.deepEqual([as.code, again.code], [0, 0]);
  const [first, second] = got;
  assert.deepEqual(first?.body, body);
  assert.equal(first.headers["x-service-signature"], "0".repeat(64));
  assert.equal(first.headers["host"], new URL(base).host);
  assert.deepEqual(second?.body, body);
  const result = verify(second.body, second.headers, SECRET, { require: "standard" });
  assert.equal(result.ok ? "" : result.code, "envelope_invalid"); // Past the signature: only the odd body is left.
});

test("--dry-run prints what would be sent, and verify takes it", async () => {
  got.length = 0;
  const raw = await trigger("ping", "--to", `${base}/`, "--dry-run", "raw");
  assert.match(raw.stdout, /^POST \/ HTTP\/1\.1\r\nHost: /);
  const verified = await runCommand(["verify", "--secret", SECRET], { input: raw.stdout });
  assert.equal(verified.code, 0, verified.stderr);
  const curl = await trigger("ping", "--to", `${base}/`, "--dry-run");
  assert.match(curl.stdout, /^curl -g -sS -i -X POST 'http:[^']+' \\\n {2}-H 'User-Agent: /);
  assert.equal(got.length, 0);
});

test("wrong usage is said in a sentence", async () => {
  const cases = [
    [["--to", "http://127.0.0.1:1/"], /Which event\? Name one of ping/],
    [["ping", "--to", "127.0.0.1"], /Write a whole URL/],
    [
      ["ping", "--to", base, "--set", "nobody.id=1"],
      /there is no object nobody\. There are product, webhook/,
    ],
    [["ping", "--to", base, "--resign"], /--resign goes with --recorded/],
    [["--recorded", "package.json", "--to", base], /package\.json holds no recorded requests/],
    [["--recorded", "nothing.jsonl", "--to", base], /There is no file nothing\.jsonl/],
  ] as const;
  await Promise.all(
    cases.map(async ([args, expected]) => {
      const { code, stderr } = await trigger(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, expected);
    }),
  );
  const secretless = await runCommand(["trigger", "ping", "--to", base]);
  assert.equal(secretless.code, 2);
  assert.match(secretless.stderr, /The webhook's secret is missing\./);
});
