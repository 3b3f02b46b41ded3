/** Requests that every receiver must take, and requests that none may take, whatever language it is written in. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { signBody } from "@markethook/protocol";
import { samplePayload, signTestRequest, type TestRequest } from "@markethook/receiver/testing";
import { checkUrl } from "../../packages/server/src/receivers/check-url.ts";
import type { RunningReceiver } from "./start-receiver.ts";

export const SECRET = "Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C";
const OTHER = "k9Fw3Bn7Mv1Xc5Zl8Aj2Sd6Gh0Qe4Rt7Yu1Io5Pa9Wz3Ex2D";

type Changes = Record<string, string | null>;

export function sign(options: Partial<Parameters<typeof signTestRequest>[0]> = {}): TestRequest {
  return signTestRequest({ event: "product.user.purchase", secret: SECRET, ...options });
}

/** What is answered to the request with these headers set, or with null taken away. */
export async function post(
  url: string,
  request: TestRequest,
  changes: Changes = {},
  signal?: AbortSignal,
): Promise<number> {
  const headers = Object.entries({ ...request.headers, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const init = { method: "POST", headers, body: request.body };
  const response = await fetch(url, signal === undefined ? init : { ...init, signal });
  await response.arrayBuffer();
  return response.status;
}

/** For a receiver that has `SECRET`. */
export async function tryReceiver({ url, heard, says }: RunningReceiver): Promise<void> {
  for (const event of ["ping", "product.update", "product.user.purchaseRemoved"]) {
    assert.equal(await post(url, sign({ event, eventId: `evt_${event}` })), 204, event);
  }
  const details = { buyerName: 'Jö "J" 🌾', amount: 4.5, currency: "EUR", orderId: "88213" };
  const payload = { ...samplePayload("product.user.purchase"), details };
  assert.equal(await post(url, sign({ payload, eventId: "evt_details" })), 204, "with details");
  await says("evt_details");
  const rotations = [
    { secret: OTHER, nextSecret: SECRET, eventId: "evt_rotated" },
    { secret: SECRET, nextSecret: OTHER, eventId: "evt_rotating" },
  ];
  for (const rotation of rotations) {
    assert.equal(await post(url, sign(rotation)), 204, rotation.eventId);
  }
  await tryChunks(url);
  await tryForgeries(url);
  await checkUp(url);

  // A retry: signed again, with a new nonce.
  for (const attempt of [1, 2, 3]) {
    assert.equal(await post(url, sign({ attempt, eventId: "evt_again" })), 204, "again");
  }
  assert.equal(await post(url, sign({ eventId: "evt_last" })), 204);
  await says("evt_last");
  const acted = heard.filter((line) => line.includes("evt_again"));
  assert.equal(acted.length, 1, "acts once for all requests of one webhook-id");
  assert.deepEqual(
    heard.filter((line) => line.includes("evt_forged")),
    [],
    "acts on nothing forged",
  );
}

/** As some proxies pass a request on. A server that cannot read it says so, and does not take it for a forged one. */
async function tryChunks(url: string): Promise<void> {
  const { headers, body } = sign({ eventId: "evt_chunks" });
  const { hostname, port, pathname } = new URL(url);
  const { "Content-Length": _, ...others } = headers;
  const framing = { Host: hostname, Connection: "close", "Transfer-Encoding": "chunked" };
  const lines = Object.entries({ ...others, ...framing }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const chunks = [body.subarray(0, 20), body.subarray(20), Buffer.alloc(0)].flatMap((bytes) => [
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
  const socket = connect(Number(port), hostname);
  // At once: a server that does not read all of it would cut the connection.
  const head = [`POST ${pathname} HTTP/1.1`, ...lines, "", ""].join("\r\n");
  socket.write(Buffer.concat([Buffer.from(head), ...chunks]));
  const reply = await text(socket);
  assert.match(reply, /^HTTP\/1\.[01] (?:204|411) /, "a body in chunks");
}

/** As an owner would have it checked by one button. */
async function checkUp(url: string): Promise<void> {
  const { verdict, probes } = await checkUrl({
    url,
    secrets: [SECRET],
    serviceName: "Service",
    timeoutMs: 15_000,
    interrupted: new AbortController().signal,
  });
  assert.equal(verdict, "refuses_forgeries");
  for (const { probe, finding, sentence } of probes) {
    assert.equal(finding, "right", `${probe}: ${sentence}`);
  }
}

/** As of a sender that knows `X-Service-Signature` only. */
export const GONE: Changes = {
  "webhook-id": null,
  "webhook-timestamp": null,
  "webhook-signature": null,
};

async function tryForgeries(url: string): Promise<void> {
  const request = sign({ eventId: "evt_forged" });
  const refuses = async (what: string, changes: Changes, of = request): Promise<void> => {
    assert.equal(await post(url, of, changes), 401, what);
  };
  await refuses("another secret", {}, sign({ secret: OTHER, eventId: "evt_forged" }));
  const text = new TextDecoder().decode(request.body).replace("4711", "4712");
  await refuses("a changed body", {}, { ...request, body: new TextEncoder().encode(text) });

  await refuses("another webhook-id", { "webhook-id": "evt_forged2" });
  await refuses("no webhook-id", { "webhook-id": null });
  await refuses("no webhook-signature", { "webhook-signature": null });
  await refuses("no webhook-* headers", GONE);
  await refuses("no signature at all", { ...GONE, "X-Service-Signature": null });
  await refuses("an X-Service-Signature of another secret", {
    "X-Service-Signature": signBody(OTHER, request.body),
  });
  for (const signature of ["", "é", "é".repeat(64), "0".repeat(64), "0".repeat(63)]) {
    await refuses(`the signature ${signature}`, { "X-Service-Signature": signature });
    await refuses(`the signature v1,${signature}`, { "webhook-signature": `v1,${signature}` });
  }

  for (const seconds of [-3600, -301, 330, 3600]) {
    const now = () => Date.now() + seconds * 1000;
    await refuses(`${seconds} seconds off`, {}, sign({ now, eventId: "evt_forged" }));
  }
  const now = Math.floor(Date.now() / 1000);
  for (const time of ["", "now", String(now + 1), `${now}.5`, "²", "9".repeat(30), "-1", "0x1"]) {
    await refuses(`the time ${time}`, { "webhook-timestamp": time });
    // Also where somebody who has the secret signed such a thing.
    const covered = Buffer.concat([Buffer.from(`evt_forged.${time}.`), request.body]);
    const mac = createHmac("sha256", Buffer.from(SECRET, "base64")).update(covered);
    const signed = { "webhook-timestamp": time, "webhook-signature": `v1,${mac.digest("base64")}` };
    if (time !== String(now + 1)) await refuses(`the signed time ${time}`, signed);
  }
  await refuses("an empty key", emptyKey(request));
}

/** What a receiver without a secret would make of the request, and so would anybody. */
export function emptyKey({ headers, body }: TestRequest): Changes {
  const covered = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const mac = createHmac("sha256", "").update(covered).update(body).digest("base64");
  return {
    "X-Service-Signature": signBody("", body),
    "webhook-signature": `v1,${mac}`,
  };
}
