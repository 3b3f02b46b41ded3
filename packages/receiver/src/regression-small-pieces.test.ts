/** A body may come in pieces of one byte, of which each takes hundreds of bytes as long as it is kept. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { createFetchHandler } from "./fetch.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import { readStream } from "./node-host.ts";
import { signTestRequest } from "./testing.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void; // What the flag defines.

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const signed = signTestRequest({ event: "product.user.purchase", secret: SECRET });
const text = Buffer.from(signed.body).toString();

/** The signed body byte by byte, and how many of its pieces are still kept shortly before its end. */
class OneByOne {
  kept = Infinity;
  readonly #known: WeakRef<Uint8Array>[] = [];

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (const byte of signed.body) {
      if (this.#known.length === signed.body.length - 1) {
        // A weak reference holds on to its object until the running task ends.
        await new Promise((resolve) => setImmediate(resolve));
        collectGarbage();
        this.kept = this.#known.filter((piece) => piece.deref() !== undefined).length;
      }
      const piece = Uint8Array.of(byte);
      this.#known.push(new WeakRef(piece));
      yield piece;
    }
  }
}

test("Node's hosts read a body in small pieces without keeping them", async () => {
  const sender = new OneByOne();
  const request = Object.assign(Readable.from(sender.pieces()), { headers: {} });
  // All that is read of an IncomingMessage.
  const read = await readStream(request as unknown as IncomingMessage, 1024 * 1024);
  assert.equal(read.kind === "bytes" && Buffer.from(read.bytes).toString(), text);
  assert.ok(sender.kept < 50, `${sender.kept} pieces were kept`);
});

test("hosts that speak fetch read a body in small pieces without keeping them", async () => {
  const sender = new OneByOne();
  const handle = createFetchHandler({ secrets: SECRET, onEvent: () => undefined });
  const body = ReadableStream.from(sender.pieces());
  // duplex is needed for streams and missing in the type.
  const init = { method: "POST", headers: signed.headers, body, duplex: "half" } as RequestInit;
  assert.equal((await handle(new Request(signed.url, init))).status, 204);
  assert.ok(sender.kept < 50, `${sender.kept} pieces were kept`);
});

test("a body takes memory for what has come, whatever length was announced", () => {
  const MIB = 1024 * 1024;
  for (const announced of [NaN, 0, 3, 20_000, MIB, 1e15]) {
    const body = new GrowingBytes(MIB, announced);
    assert.equal(body.bytes.length, 0);
    for (let count = 1; count <= 20_000; count += 1) {
      body.add(Uint8Array.of(count));
      const most = Math.max(4096, 2 * count);
      assert.ok(body.bytes.buffer.byteLength <= most, `${announced}, ${count}`);
    }
    assert.deepEqual(
      body.bytes,
      Uint8Array.from({ length: 20_000 }, (_, index) => index + 1),
    );
  }
});
