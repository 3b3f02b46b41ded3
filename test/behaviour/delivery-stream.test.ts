import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { type Client, createClient, type Delivery } from "@markethook/client";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";

/** An owner's page over the client, as the page itself does it. */
async function openPage(marketplace: Client, baseUrl: string, resourceId?: string) {
  const ownerId = "o-1";
  const bound = resourceId === undefined ? {} : { resourceId };
  const { id, url } = await marketplace.portalSessions.create({ ownerId, ...bound });
  const code = new URLSearchParams(new URL(url).hash.slice(1)).get("code") ?? "";
  const visitor = createClient({ baseUrl, apiKey: null });
  const { token } = await visitor.portalSessions.exchange(code);
  const client = createClient({ baseUrl, apiKey: token });
  const opened = new EventTarget();
  const first = once(opened, "open");
  const stream = client.deliveries.stream(
    {},
    { onOpen: () => void opened.dispatchEvent(new Event("open")) },
  );
  const next = stream.next();
  await Promise.race([first, next]);
  return { id, client, stream, next };
}

/** Reads on until the delivery is in this state. */
async function until(
  state: string,
  stream: AsyncGenerator<Delivery, void, undefined>,
  next: Promise<IteratorResult<Delivery, void>>,
): Promise<Delivery> {
  for (let step = await next; step.done !== true; step = await stream.next()) {
    if (step.value.state === state) return step.value;
  }
  throw new Error("the stream ended");
}

for (const [database, openPlace, instances] of [
  ["SQLite", sqlitePlace, 1],
  ["PostgreSQL", postgresPlace, 2],
] as const) {
  test(`${database}: a page sees live what is accepted and sent elsewhere, until its session ends`, async (t) => {
    const place = await openPlace();
    const receiver = await startHangingReceiver();
    const services: ServiceProcess[] = [];
    for (let i = 0; i < instances; i += 1) {
      services.push(await startServiceProcess(place.env));
    }
    t.after(async () => {
      for (const service of services) await service.kill();
      await receiver.close();
      await place.drop();
    });
    const [here = "", elsewhere = here] = services.map((service) => service.address);
    const marketplace = createClient({ baseUrl: elsewhere, apiKey });
    await marketplace.resources.put("castle", { title: "Castle", ownerId: "o-1" });
    const url = `http://127.0.0.1:${receiver.port}/hooks`;
    const webhook = await marketplace.webhooks.create("castle", { url });

    const page = await openPage(marketplace, here, "castle");
    const purchase = { event: "product.user.purchase", user: { id: 7 } } as const;
    const report = await marketplace.events.report("castle", purchase);
    const sent = await until("delivered", page.stream, page.next);
    assert.deepEqual([sent.eventId, sent.webhookId], [report.eventId, webhook.id]);
    const explained = await page.client.events.explain(report.eventId);
    assert.equal(explained.webhooks[0]?.verdict, "sent");
    await page.stream.return();

    const revoked = await openPage(marketplace, here);
    await marketplace.portalSessions.revoke(revoked.id);
    assert.deepEqual(await revoked.next, { done: true, value: undefined });

    const lost = await openPage(marketplace, here, "castle");
    await marketplace.resources.put("castle", { title: "Castle", ownerId: "o-2" });
    assert.deepEqual(await lost.next, { done: true, value: undefined });
    await assert.rejects(lost.client.deliveries.stream().next(), { code: "unauthenticated" });
  });
}
