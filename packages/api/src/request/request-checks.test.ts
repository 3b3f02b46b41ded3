import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
let port: number;
/** Gives up after milliseconds, so it may take an ordinary request for a late one. */
let hasty: TestApp;
let hastyPort: number;
before(async () => {
  api = await createTestApp();
  hasty = await createTestApp({ deadlines: { headersMs: 60, bodyMs: 90, checkMs: 10 } });
  port = await portOf(api);
  hastyPort = await portOf(hasty);
});
after(() => Promise.all([api.app.close(), hasty.app.close()]));

async function portOf({ app }: TestApp): Promise<number> {
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

/** The codes of all answers that come before the other side closes. */
async function exchange(
  bytes: string,
  to = port,
): Promise<{ status: number; code: string | undefined }[]> {
  const socket = connect(to, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(bytes);
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 \d)/).filter((part) => part !== "");
  return answers.map((answer) => ({
    status: Number(answer.slice(9, 12)),
    code: /"code":"(\w+)"/.exec(answer)?.[1],
  }));
}

const MALFORMED = [{ status: 400, code: "request_malformed" }];

function get(target: string, headers = "Host: a\r\n", version = "1.1"): string {
  return `GET ${target} HTTP/${version}\r\n${headers}Connection: close\r\n\r\n`;
}

test("a target that is no path, a fragment and another version of HTTP are refused", async () => {
  for (const target of ["a:80", "ftp://a/healthz", "/healthz#x", "http://a/healthz#x"]) {
    assert.deepEqual(await exchange(get(target)), MALFORMED, target);
  }
  assert.deepEqual(await exchange(get("/healthz", "Host: a\r\n", "2.0")), MALFORMED);
  assert.deepEqual(await exchange("GET /healthz\r\n\r\n"), MALFORMED);
});

test("a target may be a URL of the host that the Host header names, and is read as its path and query", async () => {
  const ok = [{ status: 200, code: undefined }];
  for (const target of ["http://a/healthz", "HTTPS://A/healthz", "http://a", "http://a?"]) {
    assert.deepEqual(await exchange(get(target)), ok, target);
  }
  const withPort = get("http://[::1]:8080/healthz", "Host: [::1]:8080\r\n");
  assert.deepEqual(await exchange(withPort), ok);
  assert.deepEqual(await exchange(get("http://a/healthz", "", "1.0")), ok);
  for (const [target, status, code] of [
    ["http://a//healthz", 404, "route_not_found"],
    ["http://a/healthz/../healthz", 404, "route_not_found"],
    ["http://a/readyz/", 404, "route_not_found"],
    ["http://a/v1/resources", 401, "unauthenticated"],
    [`http://a/healthz?key=${api.key}`, 400, "credential_in_url"],
  ] as const) {
    assert.deepEqual(await exchange(get(target)), [{ status, code }], target);
  }
  const keyed = `Host: a\r\nAuthorization: Bearer ${api.key}\r\n`;
  assert.deepEqual(await exchange(get("http://a/v1/resources?limit=1", keyed)), ok);
  assert.deepEqual(await exchange(get("http://a/v1/resources?limit=0", keyed)), [
    { status: 400, code: "parameter_invalid" },
  ]);
});

test("a target that is a URL without the host of the Host header, or with more than a host, is refused", async () => {
  for (const target of [
    "http://b/healthz",
    "http://a:80/healthz",
    "http://u@a/healthz",
    "http://a\\b/healthz",
    "http:/a/healthz",
    "ws://a/healthz",
  ]) {
    assert.deepEqual(await exchange(get(target)), MALFORMED, target);
  }
  assert.deepEqual(await exchange(get("http://a/healthz", "")), MALFORMED);
  assert.deepEqual(await exchange(get("http://a/healthz", "Host: \r\n")), MALFORMED);
  assert.deepEqual(await exchange(get("http://a/healthz", "Host: a\r\nHost: a\r\n")), MALFORMED);
});

test("no Host, two, and one that is none are refused; HTTP/1.0 may go without", async () => {
  for (const host of [
    "",
    " ",
    "a b",
    "a/b",
    "u@b",
    "[::1",
    "a,b",
    "\xe9",
    "a:b",
    "a".repeat(300),
  ]) {
    assert.deepEqual(await exchange(get("/healthz", `Host: ${host}\r\n`)), MALFORMED, host);
  }
  assert.deepEqual(await exchange(get("/healthz", "Host: a\r\nHost: a\r\n")), MALFORMED);
  assert.deepEqual(await exchange(get("/healthz", "")), MALFORMED);
  assert.deepEqual(await exchange(get("/healthz", "", "1.0")), [{ status: 200, code: undefined }]);
  for (const host of ["a", "a.example:8080", "127.0.0.1:1", "[::1]:8080", "a_b"]) {
    const answer = await exchange(get("/healthz", `Host: ${host}\r\n`));
    assert.deepEqual(answer, [{ status: 200, code: undefined }], host);
  }
});

test("a body whose end two programs would see in two places gets one answer, and the connection ends", async () => {
  const post = "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  const smuggled = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  for (const framing of [
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
    "Content-Length: 2, 2\r\n\r\n{}",
    "Content-Length: +2\r\n\r\n{}",
    "Content-Length: 99999999999999999999\r\n\r\n{}",
    "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\n\r\n0\r\n\r\n",
    "X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
  ]) {
    assert.deepEqual(await exchange(post + framing + smuggled), MALFORMED, framing);
  }
  const inChunk = `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n${smuggled}`;
  assert.equal((await exchange(inChunk)).length, 1);
  const old = post.replace("1.1", "1.0");
  assert.deepEqual(
    await exchange(`${old}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`),
    MALFORMED,
  );
});

test("two idempotency keys are one too many", async () => {
  const twice = "Host: a\r\nIdempotency-Key: a\r\nidempotency-key: b\r\n";
  assert.deepEqual(await exchange(get("/healthz", twice)), MALFORMED);
});

test("CONNECT is a method that nothing takes", async () => {
  const answer = await exchange("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n");
  assert.deepEqual(answer, [{ status: 405, code: "method_not_allowed" }]);
});

test("a body that says it is too large is refused before the key is looked at, on any route, and to a client that writes all of it first", async (t) => {
  const lookUp = t.mock.method(api.store.apiKeys, "findByHash");
  for (const line of [
    "PUT /v1/resources/a",
    "POST /v1/events",
    "GET /v1/resources",
    "GET /healthz",
  ]) {
    const answer = await exchange(
      `${line} HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n${"{".padEnd(20_000_000)}`,
    );
    assert.deepEqual(answer, [{ status: 413, code: "body_too_large" }], line);
  }
  assert.equal(lookUp.mock.callCount(), 0);
});

test("a key in the URL is refused, said so and told to the operator without the key", async () => {
  const session = await api.makeSession("o-1");
  for (const [key, url] of [
    [api.key, `/v1/resources?api_key=${api.key}`],
    [session, `/v1/webhooks?token=${session}`],
    [api.key, `/healthz?x=${api.key}&y`],
    [api.key, `/v1/resources/${api.key}`],
  ] as const) {
    const lines = api.world.lines.length;
    const answer = await api.send({ method: "GET", url });
    assert.deepEqual([answer.statusCode, answer.json().code], [400, "credential_in_url"], url);
    const told = JSON.stringify(api.world.lines.slice(lines));
    assert.match(told, /in its URL/);
    assert.ok(!told.includes(key) && !answer.body.includes(key));
  }
  const other = await api.send({ method: "GET", url: "/v1/resources?api_key=mh_wrong" });
  assert.equal(other.json().code, "parameter_invalid");
});

test("integers in a query are digits, not what merely converts to a number", async () => {
  for (const given of [
    "0",
    "-1",
    "1e9",
    "NaN",
    "1.5",
    "0x10",
    "01",
    "+1",
    "%201",
    "",
    "1&limit=2",
  ]) {
    const answer = await api.send({ method: "GET", url: `/v1/resources?limit=${given}` });
    const { code, pointer } = answer.json();
    assert.deepEqual(
      [answer.statusCode, code, pointer],
      [400, "parameter_invalid", "limit"],
      given,
    );
  }
  assert.equal((await api.send({ method: "GET", url: "/v1/resources?limit=200" })).statusCode, 200);
});

test("headers that do not end, a body that does not end and silence are given up", async () => {
  const late = [{ status: 408, code: "request_timeout" }];
  assert.deepEqual(await exchange("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ", hastyPort), late);
  const body =
    "PUT /v1/resources/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n";
  const started = await exchange(`${body}Authorization: Bearer ${hasty.key}\r\n\r\n{"a`, hastyPort);
  assert.deepEqual(started, late);
  assert.deepEqual(await exchange("", hastyPort), late);
});

test("headers that drip are given up as well", async () => {
  const socket = connect(hastyPort, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n");
  const drip = setInterval(() => socket.write("X: y\r\n"), 5);
  const answer = await text(socket).finally(() => clearInterval(drip));
  assert.match(answer, /^HTTP\/1\.1 408 /);
});
