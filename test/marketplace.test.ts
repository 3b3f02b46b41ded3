import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { call } from "./marketplace.ts";

const NOTHING = { detail: "Nothing of this request was stored." };
const UNKNOWN = { code: "outcome_unknown" };

/** A service that cannot answer once, and says this. Returns its address, and the bodies that came. */
async function startBusy(
  t: TestContext,
  says: object,
): Promise<{ address: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push(body);
      if (seen.length === 1) response.writeHead(503).end(JSON.stringify(says));
      else response.writeHead(202).end("{}");
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => server.close().closeAllConnections());
  return { address: `http://127.0.0.1:${port}`, seen };
}

test("a report that could not be confirmed is repeated under its keys", async (t) => {
  const { address, seen } = await startBusy(t, UNKNOWN);
  const purchase = { event: "product.user.purchase", user: { id: 1 } };
  await call(address, "k", "POST", "/events", { events: [purchase, purchase] });
  assert.equal(seen.length, 2);
  assert.equal(seen[0], seen[1]);
  const { events } = JSON.parse(seen[0] ?? "") as { events: { idempotencyKey: string }[] };
  assert.equal(new Set(events.map((one) => one.idempotencyKey)).size, 2);
});

test("a webhook is made again only where the first request stored nothing", async (t) => {
  const path = "/resources/castle/webhooks";
  const idle = await startBusy(t, NOTHING);
  await call(idle.address, "k", "POST", path, { url: "https://bot.example/" });
  assert.equal(idle.seen.length, 2);
  const unsure = await startBusy(t, UNKNOWN);
  await assert.rejects(call(unsure.address, "k", "POST", path, {}), /503 .*outcome_unknown/);
  assert.equal(unsure.seen.length, 1);
});
