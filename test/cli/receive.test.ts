import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { signTestRequest } from "@markethook/receiver/testing";
import { sqlitePlace } from "../places.ts";
import { runCommand, startCommand, startHere } from "./command-process.ts";

const SECRET = "ceI2aH0rqmTz41vNQ8yJ5XwLkB7sUdGfP3RoE9tVxAbCnMiZ";
const RECEIVING = /Receiving at (\S+)/;

async function startReceive(...args: string[]) {
  const command = startHere(["receive", "--port", "0", ...args]);
  const [, url = ""] = await command.printed(RECEIVING);
  return { ...command, url };
}

const request = (url: string, given: { secret?: string; attempt?: number } = {}) =>
  signTestRequest({ event: "product.user.purchase", secret: SECRET, url, ...given });

test("a receiver tells of each request what it is, or why it does not verify, and records it", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const file = join(place.folder, "requests.jsonl");
  const receiver = await startReceive("--secret", SECRET, "--record", file, "--count", "4");
  const first = request(`${receiver.url}hooks?shop=1`);
  assert.equal((await fetch(first.url, first)).status, 200);
  const again = request(first.url, { attempt: 2 });
  assert.equal((await fetch(again.url, again)).status, 200);
  const forged = request(receiver.url, { secret: "somebody else's" });
  assert.equal((await fetch(forged.url, forged)).status, 401);
  const reprinted = JSON.stringify(JSON.parse(Buffer.from(first.body).toString()), null, 2);
  assert.equal((await fetch(first.url, { ...first, body: reprinted })).status, 401);

  const { code, stdout, stderr } = await receiver.ended;
  assert.equal(code, 1);
  assert.match(
    stdout,
    /verified product\.user\.purchase · better-farms “.*” · user 4711 · attempt 1 · evt_1test000000 → 200/,
  );
  assert.match(stdout, /attempt 2 .* → 200\n +A repeat of request 1: same webhook-id/);
  assert.match(
    stdout,
    /not verified \[signature_mismatch\] → 401\n.*\n +Likely cause: .* \[other_secret\]/,
  );
  assert.match(stdout, /Likely cause: .*Verify the raw bytes\. \[body_reprinted\]/);
  assert.ok(!stdout.includes("\u001b"));
  assert.match(stderr, /paste this as the webhook's URL/);
  assert.match(stderr, /4 requests, 2 not verified\./);

  assert.equal(statSync(file).mode & 0o777, 0o600);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  assert.equal(lines.length, 4);
  const recorded = JSON.parse(lines[0] ?? "") as { url: string; headers: string[][]; body: string };
  assert.equal(recorded.url, "/hooks?shop=1");
  assert.deepEqual(Buffer.from(recorded.body, "base64"), Buffer.from(first.body));
  assert.ok(recorded.headers.some(([name]) => name === "X-Service-Signature"));
});

test("what is no webhook is told too, and not counted", async () => {
  const receiver = await startReceive("--secret", SECRET, "--count", "1");
  assert.equal((await fetch(`${receiver.url}favicon.ico`)).status, 405);
  const one = request(receiver.url);
  await fetch(one.url, one);
  const { code, stderr } = await receiver.ended;
  assert.equal(code, 0);
  assert.match(
    stderr,
    /\nGET \/favicon\.ico → 405: webhooks come as POST\.\n1 request, 0 not verified\.\n$/,
  );
});

test("requests that do not verify do not count among the first that fail", async () => {
  const receiver = await startReceive("--secret", SECRET, "--fail", "1", "--count", "3");
  const statuses: number[] = [];
  for (const given of [{ secret: "somebody else's" }, {}, {}]) {
    const one = request(receiver.url, given);
    statuses.push((await fetch(one.url, one)).status);
  }
  assert.deepEqual(statuses, [401, 500, 200]);
  await receiver.ended;
});

test("a receiver for an imported secret takes X-Service-Signature alone, when told so", async () => {
  const secret = "an old secret, not base64!";
  const options = ["--secret", secret, "--count", "1"];
  const [strict, told] = await Promise.all([
    startReceive(...options),
    startReceive(...options, "--require", "service"),
  ]);
  for (const [receiver, status] of [
    [strict, 401],
    [told, 200],
  ] as const) {
    const imported = request(receiver.url, { secret });
    assert.equal((await fetch(imported.url, imported)).status, status);
  }
  assert.match((await strict.ended).stdout, /\[standard_headers_missing\]/);
  assert.equal((await told.ended).code, 0);
});

test("a receiver answers as it is told, fails the first requests, and prints JSON lines", async () => {
  const line =
    "--no-verify --status 202 --body thanks --delay 1ms --fail 1 --count 2 --json --verbose";
  const receiver = await startReceive(...line.split(" "), "--header", "X-Seen: yes");
  // Before those that count: what is no POST is no webhook.
  assert.equal((await fetch(receiver.url)).status, 405);
  const body = '{"a":"\u001b[2J"}';
  assert.equal((await fetch(receiver.url, { method: "POST", body })).status, 500);
  const answer = await fetch(receiver.url, { method: "POST", body });
  assert.equal(answer.status, 202);
  assert.equal(answer.headers.get("x-seen"), "yes");
  assert.equal(await answer.text(), "thanks");
  const { code, stdout } = await receiver.ended;
  assert.equal(code, 0);
  assert.ok(!stdout.includes("\u001b"));
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map(({ status, verified, body }) => ({ status, verified, body })),
    [500, 202].map((status) => ({ status, verified: null, body })),
  );
});

test("Ctrl-C ends a receiver with 130 and tells what came", async () => {
  const receiver = startCommand(["receive", "--port", "0", "--no-verify"]);
  await receiver.printed(RECEIVING);
  receiver.signal("SIGINT");
  const { code, stderr } = await receiver.ended;
  assert.equal(code, 130);
  assert.match(stderr, /0 requests/);
});

test("a receiver whose output nobody reads any more ends quietly", async () => {
  const receiver = startCommand(["receive", "--port", "0", "--no-verify"]);
  const [, url = ""] = await receiver.printed(RECEIVING);
  receiver.closeOutput();
  await fetch(url, { method: "POST", body: "{}" }).catch(() => undefined);
  const { code, stderr } = await receiver.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /EPIPE|Error/);
});

test("a taken port, a missing secret and an unusable file are said in a sentence", async (t) => {
  const taken = createServer();
  const port = await listenOnLoopback(taken);
  t.after(() => taken.close());
  const busy = await runCommand(["receive", "--no-verify", "--port", String(port)]);
  assert.equal(busy.code, 2);
  assert.equal(
    busy.stderr,
    `markethook: Port ${port} of 127.0.0.1 is taken. Choose another with --port; 0 takes a free one.\n`,
  );
  const secretless = await runCommand(["receive"]);
  assert.equal(secretless.code, 2);
  assert.match(secretless.stderr, /--secret \(or MARKETHOOK_WEBHOOK_SECRET\), or --no-verify/);
  const folder = await runCommand([
    "receive",
    "--no-verify",
    "--port",
    "0",
    "--record",
    "/nowhere/a",
  ]);
  assert.equal(folder.code, 2);
  assert.match(folder.stderr, /There is no file \/nowhere\/a/);
});
