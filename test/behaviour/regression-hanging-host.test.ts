import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@markethook/client";
import { ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";
import { size } from "../size.ts";

/** The full size is what the default memory of 64 MiB cannot hold; the sample is as much for a sixteenth of it. */
const WEBHOOKS = size(60, 640);
const QUEUE_MIB = size(4, 64);
const EACH = 210;
const PER_RESOURCE = 100;
/** Of 100 deliveries each. */
const BATCH = 100;
const HEALTHY = 150;

for (const [database, open] of [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const) {
  test(
    `${database}: while one host with ${WEBHOOKS} webhooks never answers, another owner's webhook gets everything`,
    // Long before the time limit of the first request that hangs has set anything free for good.
    { timeout: 90_000, skip: ONE_LOOPBACK_ADDRESS },
    async (t) => {
      const place = await open();
      const service = await startServiceProcess({
        ...place.env,
        MARKETHOOK_QUEUE_SIZE: String(QUEUE_MIB),
      });
      const [hanging, healthy] = [await startHangingReceiver(), await startHangingReceiver()];
      t.after(async () => {
        await service.kill();
        await Promise.all([hanging.close(), healthy.close()]);
        await place.drop();
      });
      hanging.hanging = true;
      const { address, api } = service;
      const resources = Math.ceil(WEBHOOKS / PER_RESOURCE);
      for (let no = 0; no < resources; no += 1) {
        await api("PUT", `/resources/big-${no}`, { title: "Big", ownerId: "one" });
        const webhooks = Math.min(PER_RESOURCE, WEBHOOKS - no * PER_RESOURCE);
        await api("POST", "/import", {
          records: Array.from({ length: webhooks }, (_, index) => ({
            kind: "webhook",
            resourceId: `big-${no}`,
            url: `http://127.0.0.1:${hanging.port}/${index}`,
            secret: "hanging",
          })),
        });
      }
      await api("PUT", "/resources/small", { title: "Small", ownerId: "other" });
      await api("POST", "/resources/small/webhooks", { url: `http://127.0.0.2:${healthy.port}/` });

      const purchases = (resourceId: string, count: number) =>
        Array.from({ length: count }, (_, id) => ({
          resourceId,
          event: "product.user.purchase" as const,
          user: { id: id + 1 },
        }));
      // A slow machine may not confirm a batch in time; the client repeats it with the same keys.
      const { events } = createClient({ baseUrl: address, apiKey });
      const all = Array.from({ length: resources }, (_, no) => purchases(`big-${no}`, EACH)).flat();
      const { failed } = await events.reportMany(all, { batchSize: BATCH });
      assert.equal(failed, 0);
      await hanging.until(() => hanging.arrivals.length >= 32);

      const startedAt = performance.now();
      const since = (): string => `${Math.round(performance.now() - startedAt)} ms`;
      const reported = events
        .reportMany(purchases("small", HEALTHY))
        .then(() => t.diagnostic(`accepted after ${since()}`));
      await healthy.until(() => healthy.arrivals.length > 0);
      t.diagnostic(`the first one arrived after ${since()}`);
      await healthy.until(() => healthy.arrivals.length >= HEALTHY);
      await reported;
      t.diagnostic(`all ${HEALTHY} arrived after ${since()}`);
      assert.equal(healthy.arrivals.length, HEALTHY);
    },
  );
}
