import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { signTestRequest } from "@markethook/receiver/testing";
import { freePort, type RunningReceiver, startReceiver } from "./start-receiver.ts";

const SECRET = "Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C";
const NEXT_SECRET = "k9Fw3Bn7Mv1Xc5Zl8Aj2Sd6Gh0Qe4Rt7Yu1Io5Pa9Wz3Ex2D";
const OTHER_SECRET = "An0therWebhooksSecretAn0therWebhooksSecretAn0the";

interface Example {
  file: string;
  command: string;
  arguments: (file: string, port: number) => string[];
  ready: RegExp;
}

const script = (file: string): string[] => [file];

const EXAMPLES: readonly Example[] = [
  { file: "node.ts", command: process.execPath, arguments: script, ready: /^Listening on/ },
  { file: "receiver.py", command: "python3", arguments: script, ready: /^Listening on/ },
  {
    file: "receiver.php",
    command: "php",
    arguments: (file, port) => ["-S", `127.0.0.1:${port}`, file],
    ready: /Development Server .* started/,
  },
];

const running: RunningReceiver[] = [];
after(() => {
  for (const receiver of running) receiver.stop();
});

/** Resolves to the receiver's address. */
async function start(example: Example, secret: string): Promise<string> {
  const port = await freePort();
  const file = join(import.meta.dirname, example.file);
  const receiver = await startReceiver({
    command: example.command,
    arguments: example.arguments(file, port),
    ready: example.ready,
    port,
    secret,
  });
  running.push(receiver);
  return receiver.url;
}

type Bytes = Uint8Array<ArrayBuffer>;

async function post(
  url: string,
  headers: Iterable<[string, string]>,
  body: Bytes,
): Promise<number> {
  const response = await fetch(url, { method: "POST", headers: [...headers], body });
  await response.arrayBuffer();
  return response.status;
}

/** What the receiver answers to a purchase, or to what `options` make of it. */
async function status(
  url: string,
  options: Partial<Parameters<typeof signTestRequest>[0]>,
  change: (body: Bytes) => Bytes = (body) => body,
): Promise<number> {
  const purchase = { event: "product.user.purchase", secret: SECRET, url };
  const request = signTestRequest({ ...purchase, ...options });
  return post(url, new Headers(request.headers), change(request.body));
}

/** Why this machine cannot run it, or null. */
function missing({ command }: Example): string | null {
  return spawnSync(command, ["--version"]).status === 0 ? null : `${command} is not on the PATH`;
}

async function check(context: TestContext, example: Example): Promise<void> {
  const reason = missing(example);
  if (reason !== null) {
    context.skip(reason);
    return;
  }
  const url = await start(example, SECRET);
  for (const event of ["ping", "product.update", "product.user.purchaseRemoved"]) {
    assert.equal(await status(url, { event, eventId: `evt_${event}` }), 204, event);
  }
  assert.equal(await status(url, {}), 204, "a purchase");
  assert.equal(await status(url, {}), 204, "the same event again");
  assert.equal(
    await status(url, { secret: OTHER_SECRET, nextSecret: SECRET, eventId: "evt_rotated" }),
    204,
    "the new secret of a rotation",
  );
  assert.equal(
    await status(url, { secret: SECRET, nextSecret: NEXT_SECRET, eventId: "evt_rotating" }),
    204,
    "the old secret of a rotation",
  );

  assert.equal(await status(url, { secret: OTHER_SECRET }), 401, "another secret");
  const forged = (body: Bytes): Bytes =>
    new TextEncoder().encode(new TextDecoder().decode(body).replace("4711", "4712"));
  assert.equal(await status(url, {}, forged), 401, "a changed body");
  const { body } = signTestRequest({ event: "ping", secret: SECRET });
  assert.equal(await post(url, [], body), 401, "no signature");
  assert.equal(await post(url, [["X-Service-Signature", ""]], body), 401, "an empty signature");
  assert.equal(await post(url, [["X-Service-Signature", "é"]], body), 401, "not even ASCII");
}

for (const example of EXAMPLES) {
  test(`${example.file} takes what is signed and refuses what is forged`, (context) =>
    check(context, example));
}

test("without a secret no example takes requests", async (context) => {
  for (const example of EXAMPLES) {
    if (missing(example) !== null) {
      context.diagnostic(`${example.file} left out: ${missing(example)}`);
    } else if (example.command === "php") {
      assert.equal(await status(await start(example, ""), {}), 500);
    } else {
      await assert.rejects(start(example, ""), /ended/);
    }
  }
});
