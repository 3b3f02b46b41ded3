import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EVENT_NAMES } from "./event-names.ts";
import { requestText, renderRequest } from "./request.ts";
import { hmacByDefinition } from "./testing/hmac-by-definition.ts";
import type { RequestConstants, RequestVariables, SenderProfile } from "./request.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

interface Vector {
  secret: string;
  nextSecret?: string;
  profile: SenderProfile;
  constants: RequestConstants;
  attempt: number;
  variables: RequestVariables;
  request: {
    method: string;
    target: string;
    headers: [string, string][];
    body: string;
    bodyLength: number;
    bodySha256: string;
  };
}

const vectors = new Map(
  globSync("vectors/*.json", { cwd: ROOT }).map((path) => {
    // The first test below compares every file with what the generator makes, and so its form as well.
    const vector = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Vector;
    return [path.replace(/^vectors\/|\.json$/g, ""), vector] as const;
  }),
);

function header(vector: Vector, name: string): string | undefined {
  return vector.request.headers.find(([other]) => other === name)?.[1];
}

test("the committed vectors are exactly what the generator makes", () => {
  const run = spawnSync(process.execPath, [join(ROOT, "tools", "vectors.ts"), "--check"], {
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
});

test("every event that receivers can get has a vector", () => {
  const shown = new Set([...vectors.values()].map(({ constants }) => constants.eventName));
  assert.deepEqual(
    EVENT_NAMES.filter((name) => !shown.has(name)),
    [],
    "these events have no case in tools/vectors.ts: add one, and run it",
  );
});

/** Written by hand from the tables of the specification, never copied from output. */
const PLAIN =
  '"product":{"id":"5127","title":"Better Farms","subtitle":"Crops that grow while you sleep","url":"https://marketplace.example/resource/5127"}';
const FOREIGN =
  '"product":{"id":"better_farms-2","title":"Größere Felder – 農場 🌾👩‍🌾","subtitle":"","url":"https://marketplace.example/resource/better_farms-2"}';
const PREVIOUS =
  '"previous":{"version":"2.3.0","id":"90071","time":1764633600,"size":"48213","fileType":"jar","branch":"release"}';
const UPDATE = String.raw`"update":{"version":"2.4.0-rc.1","id":"90072","time":1767312000,"size":"9007199254740993","fileType":"jar","branch":"snapshot","title":"The \"faster harvest\" update","description":"Fixed:\n- no more \"ghost\" wheat\r\n- paths like C:\\farms\\new\t</script>\n${"\u2028"}Ünïcode & emoji: 🥕"}`;

function bought(nonce: string): string {
  return `{"event":"product.user.purchase","time":1767312000,"nonce":"${nonce}","payload":{${PLAIN},"user":{"id":4711}}}`;
}

const BODIES: Readonly<Record<string, string>> = {
  ping: `{"event":"ping","time":1767312000,"nonce":"pInG_0000-nonce1","payload":{${FOREIGN},"webhook":{"url":"https://receiver.example/hooks/markethook?shop=7"}}}`,
  "product-update": `{"event":"product.update","time":1767312000,"nonce":"upDaTe00-_nonce2","payload":{${PLAIN},${PREVIOUS},${UPDATE}}}`,
  "product-user-purchase": bought("AbCdEfGhIjKlMnOp"),
  "product-user-purchase-removed": `{"event":"product.user.purchaseRemoved","time":1767312000,"nonce":"----------------","payload":{${PLAIN},"user":{"id":9007199254740991}}}`,
  "product-user-first-download": `{"event":"product.user.firstDownload","time":1767312000,"nonce":"________________","payload":{${FOREIGN},"user":{"id":1}}}`,
  "product-user-purchase-details": bought("dEtaiLs0-nonce10").replace(
    '"user":{"id":4711}',
    String.raw`"user":{"id":4711},"details":{"buyerName":"Jö \"J\" 🌾","amount":4.5,"currency":"EUR","orderId":"88213"}`,
  ),
  rotation: bought("rOtAtIoN-nonce_6"),
  "imported-secret": bought("imPorTed-nonce_7"),
  "imported-secret-whsec": bought("whSec000-nonce_8"),
  "imported-secret-rotation": bought("imPoRot0-nonce_9"),
};

test("every body is the text that the specification's tables make by hand", () => {
  assert.deepEqual([...vectors.keys()].sort(), Object.keys(BODIES).sort());
  for (const [name, { request }] of vectors) assert.equal(request.body, BODIES[name], name);
});

test("length and digest of a body count UTF-8 bytes", () => {
  for (const [name, vector] of vectors) {
    const bytes = new TextEncoder().encode(vector.request.body);
    assert.equal(vector.request.bodyLength, bytes.length, name);
    assert.equal(header(vector, "Content-Length"), String(bytes.length), name);
    assert.equal(vector.request.bodySha256, createHash("sha256").update(bytes).digest("hex"), name);
  }
  assert.ok((vectors.get("ping")?.request.bodyLength ?? 0) > (BODIES["ping"]?.length ?? 0));
});

test("what a vector was made from makes its request again", () => {
  for (const [name, vector] of vectors) {
    const { profile, constants, attempt, variables, request } = vector;
    const again = renderRequest(profile, constants, attempt, variables);
    assert.deepEqual(again.headers, request.headers, name);
    assert.equal(again.body, request.body, name);
    assert.equal(again.target, request.target, name);
    assert.ok(requestText(again).endsWith(`\r\n\r\n${request.body}`), name);
  }
});

test("the X- signatures are what the definition of HMAC makes of the secret's text", () => {
  for (const [name, vector] of vectors) {
    const { profile, request, secret, nextSecret } = vector;
    const signed = (key: string) =>
      hmacByDefinition(Buffer.from(key), request.body).toString("hex");
    const prefix = `X-${profile.serviceName}`;
    assert.equal(header(vector, `${prefix}-Signature`), signed(secret), name);
    assert.equal(
      header(vector, `${prefix}-Signature-Next`),
      nextSecret === undefined ? undefined : signed(nextSecret),
      name,
    );
  }
});

/** By hand which secrets are base64, so that nothing here asks the code under test. */
const STANDARD_KEYS: Readonly<Record<string, readonly string[]>> = {
  rotation: [
    "Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C",
    "k9Fw3Bn7Mv1Xc5Zl8Aj2Sd6Gh0Qe4Rt7Yu1Io5Pa9Wz3Ex2D",
  ],
  "imported-secret": [],
  "imported-secret-whsec": ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  "imported-secret-rotation": ["k9Fw3Bn7Mv1Xc5Zl8Aj2Sd6Gh0Qe4Rt7Yu1Io5Pa9Wz3Ex2D"],
};

test("webhook-signature is what the definition of HMAC makes of the decoded secret, and absent without one", () => {
  for (const [name, vector] of vectors) {
    const keys = STANDARD_KEYS[name] ?? ["Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C"];
    const text = `evt_2s0m9k3x7q1z5v8.1767312005.${vector.request.body}`;
    const values = keys.map(
      (key) => `v1,${hmacByDefinition(Buffer.from(key, "base64"), text).toString("base64")}`,
    );
    const wanted = values.length === 0 ? undefined : values.join(" ");
    assert.equal(header(vector, "webhook-signature"), wanted, name);
    assert.equal(header(vector, "webhook-id"), "evt_2s0m9k3x7q1z5v8", name);
    assert.equal(header(vector, "webhook-timestamp"), "1767312005", name);
  }
});
