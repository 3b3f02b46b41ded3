import type { FuzzRequest } from "./make-request.ts";
import type { Random } from "./random.ts";

/** A request as bytes that an HTTP client would not send. */
export function rawBytes(request: FuzzRequest, random: Random): Buffer {
  const { method, target, headers, body } = request;
  const length = body?.length ?? 0;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${random.once(6) ? random.pick(["", "a b", "a,b", "é", "[::1", "x".repeat(300)]) : "127.0.0.1"}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (random.once(2)) lines.splice(1 + random.int(lines.length), 0, random.pick(ODD_LINES));
  lines.push(
    random.pick([
      `Content-Length: ${length}`,
      `Content-Length: ${length}`,
      `Content-Length: ${length + random.int(100)}`,
      `Content-Length: ${Math.max(0, length - random.int(100))}`,
      "Content-Length: -1",
      "Content-Length: 9999999",
      `Content-Length: ${length}\r\nContent-Length: ${length + 1}`,
      `Content-Length: ${length}\r\nTransfer-Encoding: chunked`,
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: xchunked",
      "Transfer-Encoding: gzip, chunked",
    ]),
  );
  const end = random.pick(["\r\n", "\r\n", "\r\n", "\n", "\r"]);
  let bytes = Buffer.concat([
    Buffer.from(lines.join(end) + end + end, "latin1"),
    random.once(4) ? chunked(body, random) : (body ?? Buffer.alloc(0)),
  ]);
  if (random.once(6)) bytes = Buffer.concat([bytes, bytes]);
  if (random.once(6)) bytes = bytes.subarray(0, random.int(bytes.length));
  // Only the head: a body may name a URL.
  if (random.once(6)) bytes[random.int(Math.min(bytes.length, 40)) || 0] = random.int(256);
  return random.once(20) ? random.bytes(random.int(300)) : bytes;
}

const ODD_LINES = [
  " folded",
  "X A: b",
  "X: a\0b",
  ": empty",
  "Transfer-Encoding : chunked",
  "Expect: 100-continue",
  "Expect: wonders",
  "Upgrade: h2c",
  "Connection: close, Upgrade",
  "Connection: host",
  "Host: b",
  "Trailer: authorization",
  `X: ${"y".repeat(17_000)}`,
  "TE: trailers",
];

function chunked(body: Buffer | null, random: Random): Buffer {
  const content = body ?? Buffer.alloc(0);
  const size = random.pick([content.length.toString(16), "zz", "ffffffffffffffff", "-1", "0x2"]);
  return Buffer.concat([
    Buffer.from(`${size}${random.pick(["", ";a=b", " "])}\r\n`),
    content,
    Buffer.from(random.pick(["\r\n0\r\n\r\n", "\n0\n\n", "\r\n0\r\nAuthorization: x\r\n\r\n", ""])),
  ]);
}
