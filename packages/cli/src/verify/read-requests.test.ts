import assert from "node:assert/strict";
import { test } from "node:test";
import { readHeaderLines, readRequests } from "./read-requests.ts";

const HEADER = ["X-A", "b"] as const;

test("a request as text is taken apart, with either line end", () => {
  for (const end of ["\r\n", "\n"]) {
    const text = ["POST /hooks?x=1 HTTP/1.1", "Host: a", "X-A: b", "", '{"a":\n\n1}'].join(end);
    const { requests, remark } = readRequests(Buffer.from(text), "auto", []);
    assert.equal(remark, null);
    assert.equal(requests[0]?.url, "/hooks?x=1");
    assert.deepEqual(requests[0]?.headers, [["Host", "a"], [...HEADER]]);
    assert.equal(requests[0]?.body.toString(), '{"a":\n\n1}');
  }
});

test("headers that were copied from the pages are taken, with the line above them", () => {
  const head = "POST http://127.0.0.1:8081/…\nX-A: b";
  assert.deepEqual(readHeaderLines(head, "headers.txt"), [[...HEADER]]);
  const [request] = readRequests(Buffer.from(`${head}\n\n{}`), "auto", []).requests;
  assert.deepEqual([request?.headers, request?.body.toString()], [[[...HEADER]], "{}"]);
});

test("Content-Length cuts off what pasting has added, and tells what pasting has lost", () => {
  const request = (body: string) => Buffer.from(`POST / HTTP/1.1\nContent-Length: 2\n\n${body}`);
  const longer = readRequests(request("{}\n"), "auto", []);
  assert.equal(longer.requests[0]?.body.toString(), "{}");
  assert.match(longer.remark ?? "", /cut to the 2 bytes/);
  assert.match(readRequests(request("{"), "auto", []).remark ?? "", /something is missing/);
});

test("a body is taken as it is, bytes and spaces included", () => {
  const body = Buffer.from([0xff, 0x0a, 0x20]);
  assert.deepEqual(readRequests(body, "auto", [HEADER]).requests[0]?.body, body);
  const alike = Buffer.from("POST / HTTP/1.1\n\n");
  assert.deepEqual(readRequests(alike, "body", [HEADER]).requests[0]?.body, alike);
});

test("a recording has a request in each line", () => {
  const line = (body: string) =>
    JSON.stringify({
      receivedAt: "2026-01-01T00:00:00Z",
      method: "POST",
      url: "/",
      headers: [HEADER],
      body,
    });
  const { requests } = readRequests(Buffer.from(`${line("e30=")}\n\n${line("")}\n`), "auto", []);
  assert.deepEqual(
    requests.map(({ body }) => body.toString()),
    ["{}", ""],
  );
  assert.equal(requests[0]?.receivedAt, Date.UTC(2026, 0, 1));
});

test("input that is not what it should be is refused with a sentence", () => {
  const cases = [
    ["", "auto", [], /empty/],
    ["{}", "auto", [], /headers are missing/],
    ["{}", "recording", [HEADER], /no recorded requests/],
    ["{}", "request", [], /no blank line/],
    ["hello\n\n{}", "request", [], /does not begin with a request line/],
    ["POST / HTTP/1.1\nnonsense\n\n{}", "auto", [], /a line is not/],
    [
      '{"receivedAt":"2026-01-01T00:00:00Z","method":"POST","url":"/","headers":[],"body":""}\n{}',
      "auto",
      [],
      /Line 2/,
    ],
  ] as const;
  for (const [text, form, extra, expected] of cases) {
    assert.throws(() => readRequests(Buffer.from(text), form, extra), expected);
  }
});
