import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { createBodyBudget } from "./body-budget.ts";
import { collectBody } from "./collect-body.ts";

const MIB = 1024 * 1024;
const sender = { isKey: true, id: "key_1" };

/** The body, and the most memory that it took at a time. */
async function collect(stream: Readable, limit = MIB, length: number | null = null) {
  const real = createBodyBudget(16 * MIB);
  let held = 0;
  let most = 0;
  const budget = {
    take(of: typeof sender, bytes: number) {
      real.take(of, bytes);
      most = Math.max(most, (held += bytes));
    },
    give(of: typeof sender, bytes: number) {
      real.give(of, bytes);
      held -= bytes;
    },
  };
  const body = await new Promise<string>((resolve, reject) =>
    collectBody(stream, { budget, sender, limit, length }, (error, bytes) =>
      error === null ? resolve(bytes.toString()) : reject(error),
    ),
  ).finally(() => setImmediate(() => assert.equal(held, 0)));
  return { body, most };
}

function pieces(sizes: readonly number[]): Readable {
  return Readable.from(
    sizes.map((size, at) => Buffer.alloc(size, String(at % 10))),
    { objectMode: false },
  );
}

test("a body is the same in whatever pieces it comes", async () => {
  for (const sizes of [[], [5], [1, 1], [4096, 1], [1, 4096, 9000], [70_000, 70_000, 1]]) {
    const whole = sizes.map((size, at) => String(at % 10).repeat(size)).join("");
    assert.equal((await collect(pieces(sizes))).body, whole);
    assert.equal((await collect(pieces(sizes), MIB, whole.length)).body, whole);
  }
});

test("ten thousand pieces of a byte take no more than a few times their bytes", async () => {
  const { body, most } = await collect(pieces(Array<number>(10_000).fill(1)));
  assert.equal(body.length, 10_000);
  assert.ok(most <= 40_000, `${most} bytes`);
});

test("a body above its limit is refused at the piece that exceeds it", async () => {
  await assert.rejects(collect(pieces([600, 600]), 1024), (error) =>
    isMarkethookError(error, "body_too_large"),
  );
});

test("a client that goes, before or while its body is read, ends the request", async () => {
  const gone = (error: unknown): boolean => isMarkethookError(error, "request_malformed");
  const early = new PassThrough();
  early.destroy();
  await assert.rejects(collect(early), gone);
  const late = new PassThrough();
  late.write("a");
  const collected = collect(late);
  late.destroy();
  await assert.rejects(collected, gone);
});
