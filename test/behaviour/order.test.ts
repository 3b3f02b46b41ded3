import assert from "node:assert/strict";
import { test } from "node:test";
import { Ledger } from "../ledger.ts";
import { call, setUpMarketplace } from "../marketplace.ts";
import { postgresPlace } from "../places.ts";
import { startRecordingReceiver } from "../recording-receiver.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

const BUYERS = 150;

test("a refund accepted by another instance right after the purchase's 202, or in its batch, never comes first", async (t) => {
  const place = await postgresPlace();
  const ledger = new Ledger();
  const secrets: string[] = [];
  // Every tenth purchase is refused at first, so its refund has to wait for a retry.
  const receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => Math.random() * 10,
  );
  const env = { ...place.env, MARKETHOOK_RETRY_SCHEDULE: "60ms,60ms,60ms" };
  const first = await startServiceProcess(env);
  const second = await startServiceProcess(env);
  t.after(async () => {
    first.signal("SIGKILL");
    second.signal("SIGKILL");
    await receiver.close();
    await place.drop();
  });
  const urls = [`${receiver.url}a`, `${receiver.url}b`];
  const marketplace = await setUpMarketplace(first.address, apiKey, "plugin", urls);
  secrets.push(...marketplace.secrets);
  const report = (address: string, events: [event: string, user: number][]) =>
    call(address, apiKey, "POST", "/events", {
      events: events.map(([event, id]) => ({
        resourceId: "plugin",
        event: `product.user.${event}`,
        user: { id },
      })),
    });
  let arrived = 0;
  const expected = BUYERS * 2 * urls.length;
  const all = new Promise<void>((resolve) => {
    receiver.onAnswered = ({ answered }) => {
      if (answered === 204 && (arrived += 1) === expected) resolve();
    };
  });

  for (let buyer = 1; buyer <= BUYERS; buyer += 1) {
    if (buyer % 3 === 0) {
      await report(first.address, [
        ["purchase", buyer],
        ["purchaseRemoved", buyer],
      ]);
    } else {
      await report(first.address, [["purchase", buyer]]);
      await report(second.address, [["purchaseRemoved", buyer]]);
    }
  }
  await all;
  assert.deepEqual(ledger.violations, []);
});
