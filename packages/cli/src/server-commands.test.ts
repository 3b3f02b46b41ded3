import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { ERRORS } from "@markethook/protocol";
import { freePort, listenOnLoopback } from "@markethook/protocol/testing";
import { run } from "./testing/test-host.ts";

const WEBHOOK = "wh_aaaaaaaaaaaaaaaaaaaa";
const DELIVERY = "dlv_1aaaaaaaaaa";

/** Each command that asks a service, as somebody would call it. */
const CALLS = [
  ["keys", "create", "shop", "--scope", "events:write"],
  ["keys", "list"],
  ["keys", "revoke", "key_aaaaaaaaaaaaaaaaaaaa"],
  ["resources", "put", "castle", "--title", "Castle", "--owner", "1001"],
  ["resources", "get", "castle"],
  ["resources", "list"],
  ["resources", "delete", "castle", "--yes"],
  ["webhooks", "add", "castle", "--url", "https://bot.example/"],
  ["webhooks", "list", "--resource", "castle"],
  ["webhooks", "show", WEBHOOK],
  ["webhooks", "change", WEBHOOK, "--description", "x"],
  ["webhooks", "delete", WEBHOOK, "--yes"],
  ["webhooks", "copy", WEBHOOK, "tower"],
  ["webhooks", "pause", WEBHOOK],
  ["webhooks", "resume", WEBHOOK],
  ["webhooks", "secret", WEBHOOK],
  ["webhooks", "rotate", WEBHOOK],
  ["webhooks", "switch", WEBHOOK],
  ["webhooks", "cancel-rotation", WEBHOOK],
  ["ping", WEBHOOK],
  ["emit", "castle", "product.user.purchase", "--user", "1"],
  ["emit", "--from", "-"],
  ["deliveries", "list"],
  ["deliveries", "show", DELIVERY],
  ["redeliver", DELIVERY],
  ["send-now", DELIVERY],
  ["send-now", WEBHOOK],
  ["replay", WEBHOOK, "--from", "0", "--to", "1"],
  ["notices", "list"],
  ["notices", "list", "--follow"],
];
const EVENT = '{"resourceId":"castle","event":"product.user.purchase","user":{"id":1}}\n';

const PROBLEM = {
  title: ERRORS.unauthenticated.title,
  status: 401,
  code: "unauthenticated",
  detail: ERRORS.unauthenticated.advice,
  requestId: "req_1",
};

let refusing: ReturnType<typeof createServer>;
let port = 0;
before(async () => {
  refusing = createServer((request, response) => {
    request.resume().on("end", () => {
      response
        .writeHead(401, { "content-type": "application/problem+json" })
        .end(JSON.stringify(PROBLEM));
    });
  });
  port = await listenOnLoopback(refusing);
});
after(() => refusing.close().closeAllConnections());

async function everyCall(
  argv: (call: readonly string[]) => readonly string[],
  env: Record<string, string>,
) {
  return await Promise.all(
    CALLS.map(async (call) => {
      const { code, stderr } = await run(argv(call), { env, stdin: EVENT });
      return { line: call.join(" "), code, stderr };
    }),
  );
}

test("without a server every command says so and ends with 3", async () => {
  const free = await freePort();
  const env = { MARKETHOOK_API_KEY: "k", MARKETHOOK_API_URL: `http://127.0.0.1:${free}/` };
  for (const { line, code, stderr } of await everyCall((call) => call, env)) {
    assert.equal(code, 3, `${line}: ${stderr}`);
    assert.match(stderr, /cannot be reached: nothing listens there.*Check --api/, line);
  }
});

test("with a wrong key every command tells what the server answered and ends with 4", async () => {
  const argv = (call: readonly string[]) => [
    ...call,
    "--api",
    `http://127.0.0.1:${port}`,
    "--key",
    "mh_wrong",
  ];
  for (const { line, code, stderr } of await everyCall(argv, {})) {
    assert.equal(code, 4, `${line}: ${stderr}`);
    assert.match(
      stderr,
      /The API key or session is missing.*Send Authorization.*\[unauthenticated\]/s,
      line,
    );
  }
});

test("without a key, and with an unknown option, every command ends with 2", async () => {
  for (const { line, code, stderr } of await everyCall((call) => call, {})) {
    assert.equal(code, 2, line);
    assert.match(stderr, /The API key is missing\. Give it with --key/, line);
  }
  for (const { line, code, stderr } of await everyCall((call) => [...call, "--colour"], {})) {
    assert.equal(code, 2, line);
    assert.match(stderr, /unknown option '--colour'\n(.*\n)?See `markethook .* --help`/, line);
  }
});
