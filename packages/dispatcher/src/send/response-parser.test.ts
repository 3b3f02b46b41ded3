import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { ResponseParser } from "./response-parser.ts";

interface Reading {
  step: string;
  status: number | null;
  body: string;
  reusable: boolean;
}

function readPieces(pieces: Buffer[], ended = false): Reading {
  const parser = new ResponseParser();
  let step = "more";
  for (const piece of pieces) step = parser.feed(piece);
  if (ended) step = parser.end();
  return {
    step,
    status: parser.head?.status ?? null,
    body: parser.body.toString("latin1"),
    reusable: parser.reusable,
  };
}

function read(text: string, ended = false): Reading {
  return readPieces([Buffer.from(text, "latin1")], ended);
}

/** Every answer has to read the same however the network cut it. */
function readBothWays(text: string, ended = false): Reading {
  const whole = read(text, ended);
  const bytes = Buffer.from(text, "latin1");
  const single = readPieces(
    Array.from(bytes, (byte) => Buffer.from([byte])),
    ended,
  );
  assert.deepEqual(single, whole, JSON.stringify(text));
  return whole;
}

const HEAD = "HTTP/1.1 200 OK\r\n";

test("an answer with a Content-Length ends after that many bytes", () => {
  const reading = readBothWays(`${HEAD}Content-Length: 5\r\n\r\nhello`);
  assert.deepEqual(reading, { step: "done", status: 200, body: "hello", reusable: true });
});

test("headers are kept as sent, with surrounding spaces removed and bytes read as latin1", () => {
  const parser = new ResponseParser();
  parser.feed(Buffer.from(`${HEAD}X-One:  a b\t\r\nx-ONE:caf\xe9\r\nEmpty:\r\n\r\n`, "latin1"));
  assert.deepEqual(parser.head?.headers, [
    ["X-One", "a b"],
    ["x-ONE", "café"],
    ["Empty", ""],
  ]);
});

test("an answer without any length lasts until the connection ends", () => {
  assert.equal(readBothWays(`${HEAD}\r\nsome text`).step, "more");
  const reading = readBothWays(`${HEAD}\r\nsome text`, true);
  assert.deepEqual(reading, { step: "done", status: 200, body: "some text", reusable: false });
});

test("204 and 304 have no body, and where their headers say otherwise the connection is not kept", () => {
  for (const [headers, reusable] of [
    ["", true],
    ["Content-Length: 0\r\n", true],
    ["Content-Length: 5\r\n", false],
    ["Transfer-Encoding: chunked\r\n", false],
  ] as const) {
    for (const status of [204, 304]) {
      const reading = readBothWays(`HTTP/1.1 ${status} X\r\n${headers}\r\n`);
      assert.deepEqual(reading, { step: "done", status, body: "", reusable }, headers);
    }
  }
});

test("chunks are put together, their extensions and the trailers are read over", () => {
  const reading = readBothWays(
    `${HEAD}Transfer-Encoding: Chunked\r\n\r\n5;a="b"\r\nhello\r\n1\r\n!\r\n000\r\nX: y\r\n\r\n`,
  );
  assert.deepEqual(reading, { step: "done", status: 200, body: "hello!", reusable: true });
});

test("interim responses are read over, and a ninth ends the exchange", () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
  assert.equal(readBothWays(`${interim.repeat(8)}${HEAD}Content-Length: 0\r\n\r\n`).step, "done");
  assert.equal(readBothWays(interim.repeat(9)).step, "too_many_interim_responses");
});

test("HTTP/1.0 is understood but its connection is not kept", () => {
  const reading = readBothWays(
    "HTTP/1.0 200\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
  );
  assert.deepEqual(reading, { step: "done", status: 200, body: "ok", reusable: false });
});

test("Connection: close is honoured in any position and case", () => {
  for (const value of ["close", "Close", "keep-alive, CLOSE", "x,close ,y"]) {
    const reading = readBothWays(`${HEAD}connection: ${value}\r\nContent-Length: 0\r\n\r\n`);
    assert.equal(reading.reusable, false, value);
    assert.equal(reading.step, "done", value);
  }
});

test("bytes after the end count against the connection, not against the answer", () => {
  for (const text of [
    `${HEAD}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n`,
    "HTTP/1.1 204 No Content\r\n\r\nbody",
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nX`,
  ]) {
    const reading = read(text);
    assert.equal(reading.step, "done", text);
    assert.equal(reading.reusable, false, text);
  }
});

test("two equal Content-Lengths are one", () => {
  const reading = readBothWays(`${HEAD}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`);
  assert.equal(reading.step, "done");
});

test("what is not strictly HTTP/1.x is an invalid response", () => {
  const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
  const cases = [
    "<html>hello</html>",
    "SSH-2.0-OpenSSH_9.9\r\n",
    "\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/2.0 200 OK\r\n\r\n",
    "HTTP/1.2 200 OK\r\n\r\n",
    "http/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 999999 Huge\r\n\r\n",
    "HTTP/1.1 600 Odd\r\n\r\n",
    "HTTP/1.1 099 Odd\r\n\r\n",
    "HTTP/1.1 20 Short\r\n\r\n",
    "HTTP/1.1  200 OK\r\n\r\n",
    "HTTP/1.1 200OK\r\n\r\n",
    "HTTP/1.1 -20 OK\r\n\r\n",
    "HTTP/1.1 200 O\x00K\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\n\r\n\r\n",
    `${HEAD}X: a\rb\r\n\r\n`,
    `${HEAD}X: a\x00b\r\n\r\n`,
    `${HEAD}X: a\x1b[2Jb\r\n\r\n`,
    `${HEAD}X: a\r\n folded\r\n\r\n`,
    `${HEAD}X : a\r\n\r\n`,
    `${HEAD}: a\r\n\r\n`,
    `${HEAD}no colon\r\n\r\n`,
    `${HEAD}X\xe9: a\r\n\r\n`,
    `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`,
    `${HEAD}Content-Length: 2, 2\r\n\r\nab`,
    `${HEAD}Content-Length: +2\r\n\r\nab`,
    `${HEAD}Content-Length: -1\r\n\r\n`,
    `${HEAD}Content-Length: 0x2\r\n\r\nab`,
    `${HEAD}Content-Length:\r\n\r\nab`,
    `${HEAD}Content-Length: ${"9".repeat(400)}\r\n\r\nab`,
    `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `${HEAD}Transfer-Encoding: identity\r\n\r\nab`,
    `${HEAD}Transfer-Encoding: xchunked\r\n\r\nab`,
    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    `${chunked}\r\n`,
    `${chunked}g\r\n`,
    `${chunked}-1\r\n`,
    `${chunked}0x1\r\na\r\n`,
    `${chunked}123456789\r\n`,
    `${chunked}1\na\r\n0\r\n\r\n`,
    `${chunked}1 \r\na\r\n0\r\n\r\n`,
    `${chunked}1\r\nab\r\n0\r\n\r\n`,
    `${chunked}1\r\na\n0\r\n\r\n`,
    `${chunked}1;\x00\r\na\r\n0\r\n\r\n`,
    `${chunked}0\r\n\n`,
    `${chunked}0\r\nX: a\nY: b\r\n\r\n`,
  ];
  for (const text of cases) {
    assert.equal(readBothWays(text).step, "invalid_response", JSON.stringify(text));
  }
});

test("another protocol is noticed at its first bytes, without waiting for the end of a head", () => {
  assert.equal(read("S").step, "invalid_response");
  assert.equal(read("HTTP/2").step, "invalid_response");
  assert.equal(read("HTT").step, "more");
});

test("headers beyond 16 KiB or 100 lines are too large, complete or not", () => {
  const lines = (count: number): string => "a: b\r\n".repeat(count);
  assert.equal(readBothWays(`${HEAD}${lines(99)}Content-Length: 0\r\n\r\n`).step, "done");
  assert.equal(readBothWays(`${HEAD}${lines(101)}\r\n`).step, "response_headers_too_large");
  assert.equal(read(`${HEAD}${lines(102)}`).step, "response_headers_too_large");
  assert.equal(read(`${HEAD}${lines(10_000)}`).step, "response_headers_too_large");
  const long = (size: number): string => `${HEAD}X: ${"a".repeat(size)}`;
  assert.equal(readBothWays(long(20_000)).step, "response_headers_too_large");
  assert.equal(readBothWays(`${long(16_384)}\r\n\r\n`).step, "response_headers_too_large");
  assert.equal(readBothWays(`${long(16_340)}\r\n\r\n`).step, "more");
});

test("an end before the end of the answer is a closed connection", () => {
  for (const text of [
    "",
    "HTTP/1.1 200",
    HEAD,
    `${HEAD}Content-Length: 5\r\n\r\nhell`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`,
    "HTTP/1.1 100 Continue\r\n\r\n",
  ]) {
    assert.equal(readBothWays(text, true).step, "connection_closed", JSON.stringify(text));
  }
});

test("16 KiB of a body are kept and the rest is read over", () => {
  const parser = new ResponseParser();
  parser.feed(Buffer.from(`${HEAD}Content-Length: 20000\r\n\r\n`));
  assert.equal(parser.feed(Buffer.alloc(20_000, "x")), "done");
  assert.equal(parser.body.length, 16_384);
  assert.equal(parser.bodyTruncated, true);
  assert.equal(parser.reusable, true);
});

test("what is kept is a copy, since the read buffer is used again", () => {
  const parser = new ResponseParser();
  const bytes = Buffer.from(`${HEAD}Content-Length: 5\r\n\r\nhello`);
  parser.feed(bytes);
  bytes.fill("#");
  assert.equal(parser.body.toString(), "hello");
});

test("any bytes in any pieces are read without an exception and to the same end", () => {
  const fragment = fc.constantFrom(
    "HTTP/1.1 200 OK",
    "HTTP/1.1 100 C",
    "\r\n",
    "\r",
    "\n",
    "Content-Length: 3",
    ": ",
    "abc",
    "Transfer-Encoding: chunked",
    "3\r\nabc\r\n",
    "0\r\n\r\n",
    "\0",
    "x",
    " ",
    "\x80",
    "f;e",
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 14 }), fc.array(fc.nat(40)), (parts, cuts) => {
      const bytes = Buffer.from(`${HEAD}${parts.join("")}`, "latin1");
      const pieces: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      pieces.push(bytes.subarray(at));
      // Surplus can come in a piece of its own, which then is not fed to this exchange any more.
      const { step, status, body } = readPieces(pieces, true);
      const whole = readPieces([bytes], true);
      assert.deepEqual(
        { step, status, body },
        { step: whole.step, status: whole.status, body: whole.body },
      );
    }),
    { numRuns: 500 },
  );
});
