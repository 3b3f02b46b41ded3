import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { createClient } from "@markethook/client";
import { startMarketplace } from "@markethook/marketplace";
import { sqlitePlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";
import { startVerifyingReceiver } from "../verifying-receiver.ts";

const ID = "sample-plugin";
const OWNER = "sample-owner";
const ADA = 42;

test("each action on the resource's page arrives, signed, as its event", async (t) => {
  const site = await openMarketplace(t);
  await site.startService();
  const receiver = await site.addReceiver();
  const page = (await site.read(`/resource/${ID}`)).match(/value="(update-[^"]+)"/);
  const versionId = page?.[1] ?? "";
  assert.match(versionId, /^update-/);

  const order = await site.submit(ADA, "buy", {});
  await site.submit(ADA, "download", { versionId });
  await site.submit(ADA, "download", { versionId });
  await site.submit(OWNER, `orders/${order}/refund`, {});
  await site.submit(OWNER, `orders/${order}/chargeback`, {});
  await site.submit(OWNER, `orders/${order}/chargeback`, {});
  await site.submit(OWNER, "details", { title: "Größe 🎉", subtitle: "" });
  const update = await site.submit(OWNER, "update", {
    version: "1.2",
    branch: "snapshot",
    title: "Moat",
    description: "Now with water.",
    file: new File([Buffer.alloc(12_345)], "castle.zip"),
  });

  await receiver.received(6);
  const product = {
    id: ID,
    title: "Sample Plugin",
    subtitle: "Thing to try Markethook with",
    url: `${site.url}/resource/${ID}`,
  };
  const user = { id: ADA };
  // Updates and what is about buyers go side by side; within each, in order.
  const of = (name: RegExp) => receiver.events.filter(({ event }) => name.test(event));
  assert.deepEqual(
    of(/user/).map(({ event, payload }) => [event, payload]),
    [
      ["product.user.purchase", { product, user }],
      ["product.user.firstDownload", { product, user }],
      ["product.user.purchaseRemoved", { product, user }],
      ["product.user.purchaseRemoved", { product, user }],
      ["product.user.purchaseRemoved", { product, user }],
    ],
  );
  const [updated] = of(/update/);
  assert.ok(updated?.event === "product.update");
  const { product: renamed, previous, update: posted } = updated.payload;
  assert.deepEqual(renamed, { ...product, title: "Größe 🎉", subtitle: "" });
  assert.deepEqual(
    { ...previous, time: 0 },
    { version: "1.1", id: versionId, time: 0, size: "156", fileType: "lua", branch: "release" },
  );
  assert.deepEqual(posted, {
    version: "1.2",
    id: update,
    time: updated.time,
    size: "12345",
    fileType: "zip",
    branch: "snapshot",
    title: "Moat",
    description: "Now with water.",
  });
});

test("what happens while Markethook is away is said to come later, and arrives once", async (t) => {
  const site = await openMarketplace(t);
  await site.startService();
  const receiver = await site.addReceiver();
  await site.stopService();
  const order = await site.submit(ADA, "buy", {});
  await site.submit(OWNER, `orders/${order}/refund`, {});
  const waiting = await site.read(`/resource/${ID}?report=${order}`);
  assert.match(waiting, /Will be reported to Markethook/);
  const closed = await site.read(`/resource/${ID}/webhooks`);
  assert.match(closed, /cannot be opened now/);

  await site.restart();
  await site.startService();
  await receiver.received(2);
  assert.deepEqual(
    receiver.events.map(({ event }) => event),
    ["product.user.purchase", "product.user.purchaseRemoved"],
  );
  // What comes after it shows that nothing of it came twice.
  await site.submit(ADA, "buy", {});
  await receiver.received(3);
  assert.match(await site.read(`/resource/${ID}?report=${order}`), /Reported to Markethook/);
});

test("the Webhooks button opens the owner's page of this resource, with a session of its own", async (t) => {
  const site = await openMarketplace(t);
  const { address } = await site.startService();
  await site.submit(OWNER, "details", { title: "Castle", subtitle: "" });
  const response = await site.fetch(`/resource/${ID}/webhooks/open`);
  assert.equal(response.status, 303);
  const link = new URL(response.headers.get("location") ?? "");
  assert.equal(`${link.origin}${link.pathname}`, `${address}/portal/`);
  const code = new URLSearchParams(link.hash.slice(1)).get("code");
  const exchanged = await fetch(`${address}/v1/portal-sessions/exchange`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const session = (await exchanged.json()) as Record<string, unknown>;
  assert.deepEqual(
    [session["ownerId"], session["resourceId"], session["returnUrl"]],
    [OWNER, ID, `${site.url}/resource/${ID}`],
  );
});

/** A marketplace without a service at first; both stop with the test. */
async function openMarketplace(t: TestContext) {
  const place = await sqlitePlace();
  const start = (port: number) =>
    startMarketplace({
      host: "127.0.0.1",
      port,
      folder: place.folder,
      retryMs: 50,
      now: () => Math.floor(Date.now() / 1000),
      newId: () => randomBytes(8).toString("hex"),
    });
  let marketplace = await start(0);
  const { url } = marketplace;
  let service: Awaited<ReturnType<typeof startServiceProcess>> | null = null;
  const stopService = async (): Promise<void> => await service?.kill();
  t.after(async () => {
    await marketplace.close();
    await stopService();
    await place.drop();
  });
  const request = (path: string, who: string | number = OWNER, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      redirect: "manual",
      ...init,
      headers: { cookie: `market-who=${who}` },
    });
  return {
    url,
    fetch: request,
    stopService,
    async startService() {
      service = await startServiceProcess({ ...place.env, MARKETHOOK_BASE_URL: url });
      marketplace.connect({ baseUrl: service.address, apiKey }, { embed: false });
      return service;
    },
    /** Ends the marketplace and starts it again at the same address. */
    async restart() {
      await marketplace.close();
      marketplace = await start(Number(new URL(url).port));
    },
    async addReceiver() {
      const client = createClient({ baseUrl: service?.address ?? "", apiKey });
      await client.resources.put(ID, { title: "To come", ownerId: OWNER });
      const receiver = await startVerifyingReceiver();
      t.after(() => receiver.close());
      const webhook = await client.webhooks.create(ID, { url: receiver.url });
      receiver.secrets.push(webhook.secret ?? "");
      return receiver;
    },
    async read(path: string): Promise<string> {
      return await (await request(path)).text();
    },
    /** Sends a form as a browser does; the key of what was reported. */
    async submit(
      who: string | number,
      path: string,
      fields: Record<string, string | File>,
    ): Promise<string> {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const hasFile = Object.values(fields).some((value) => value instanceof File);
      const body = hasFile ? form : new URLSearchParams(fields as Record<string, string>);
      const response = await request(`/resource/${ID}/${path}`, who, { method: "POST", body });
      assert.equal(response.status, 303, await response.text());
      const { searchParams } = new URL(response.headers.get("location") ?? "", url);
      return searchParams.get("report") ?? "";
    },
  };
}
