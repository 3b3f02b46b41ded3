import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { FastifyInstance } from "fastify";
import { createApp } from "./create-app.ts";
import { createOutbox } from "./outbox.ts";
import type { Shop } from "./shop.ts";
import { createFakeMarkethook, type FakeMarkethook } from "./testing/fake-markethook.ts";
import { openTestShop } from "./testing/test-shop.ts";

const OWNER = "sample-owner";
const ADA = "42";
const PAGE = "/resource/sample-plugin";

interface Site {
  app: FastifyInstance;
  shop: Shop;
  markethook: FakeMarkethook;
  get(path: string, who?: string): Promise<{ status: number; body: string; headers: Headers }>;
  post(
    path: string,
    who: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: string; location: string; headers: Headers }>;
}
type Headers = Record<string, unknown>;

async function openSite(t: TestContext, mayEmbed = true): Promise<Site> {
  const shop = openTestShop(t);
  const markethook = createFakeMarkethook();
  const outbox = createOutbox(shop, 1_000_000);
  const app = await createApp({
    shop,
    outbox,
    markethook: () => markethook,
    mayEmbed: () => mayEmbed,
  });
  outbox.connect(markethook);
  t.after(async () => {
    await app.close();
    await outbox.stop();
  });
  return {
    app,
    shop,
    markethook,
    async get(url, who = OWNER) {
      const headers = { cookie: `market-who=${who}`, host: "market.example" };
      const answer = await app.inject({ url, headers });
      return { status: answer.statusCode, body: answer.body, headers: answer.headers };
    },
    async post(url, who, fields = {}, more = {}) {
      const answer = await app.inject({
        method: "POST",
        url,
        headers: {
          cookie: `market-who=${who}`,
          host: "market.example",
          "content-type": "application/x-www-form-urlencoded",
          ...more,
        },
        payload: new URLSearchParams(fields).toString(),
      });
      const { statusCode: status, body, headers } = answer;
      return { status, body, headers, location: String(headers["location"] ?? "") };
    },
  };
}

test("a visitor is the owner until they choose to be somebody else, and comes back to where they were", async (t) => {
  const { app, get, post } = await openSite(t);
  const first = await app.inject(PAGE);
  assert.match(first.body, /aria-pressed="true">\s*Robin/);
  const chosen = await post("/who", OWNER, { who: ADA, back: PAGE });
  assert.deepEqual([chosen.status, chosen.location], [303, PAGE]);
  assert.match(String(chosen.headers["set-cookie"]), /^market-who=42; /);
  assert.match((await get(PAGE, ADA)).body, /aria-pressed="true">\s*Ada/);
  const elsewhere = await post("/who", OWNER, { who: ADA, back: "//evil.example/" });
  assert.equal(elsewhere.location, "/");
});

test("only the owner has the edit section, and only the owner's forms do something", async (t) => {
  const { get, post, shop, markethook } = await openSite(t);
  assert.match((await get(PAGE)).body, /Edit section.*Post an update/s);
  assert.doesNotMatch((await get(PAGE, ADA)).body, /Edit section|>Webhooks</);
  await post(`${PAGE}/buy`, ADA);
  const order = shop.data.orders[0]?.id ?? "";
  const reported = markethook.reports.length;
  for (const path of [
    "details",
    "update",
    `orders/${order}/refund`,
    `orders/${order}/chargeback`,
  ]) {
    assert.equal((await post(`${PAGE}/${path}`, ADA, { title: "x" })).status, 403, path);
  }
  for (const path of ["webhooks", "webhooks/open"]) {
    assert.equal((await get(`${PAGE}/${path}`, ADA)).status, 403, path);
  }
  assert.equal(markethook.reports.length, reported);
});

test("after a purchase the page says what was reported, and a second press of Buy buys nothing", async (t) => {
  const { get, post, markethook } = await openSite(t);
  const { location } = await post(`${PAGE}/buy`, ADA);
  const key = markethook.reports[0]?.key ?? "";
  assert.equal(location, `${PAGE}?report=${key}`);
  const { body } = await get(location, ADA);
  assert.match(body, /Reported to Markethook: <code>product\.user\.purchase<\/code>/);
  assert.match(body, new RegExp(`Event <code>evt_${key}</code>, to 1 webhook\\.`));
  const again = await post(`${PAGE}/buy`, ADA);
  assert.equal(again.location, `${PAGE}?done=unchanged`);
  assert.equal(markethook.reports.length, 1);
});

test("while Markethook is away the page says that it will be reported, and why not yet", async (t) => {
  const { get, post, markethook } = await openSite(t);
  markethook.away = true;
  const { location } = await post(`${PAGE}/buy`, ADA);
  const { body } = await get(location, ADA);
  assert.match(body, /Will be reported to Markethook/);
  assert.match(body, /http:\/\/hooks\.example cannot be reached\./);
});

test("only a buyer's first download is reported, and the browser is sent to the file once", async (t) => {
  const { app, get, post, shop, markethook } = await openSite(t);
  const versionId = shop.findResource("sample-plugin")?.versions.at(-1)?.id ?? "";
  const file = `${PAGE}/file/${versionId}`;
  assert.equal((await post(`${PAGE}/download`, ADA, { versionId })).status, 403);
  assert.equal((await get(file, ADA)).status, 403);

  await post(`${PAGE}/buy`, ADA);
  const first = await post(`${PAGE}/download`, ADA, { versionId });
  assert.match(first.location, /\?report=download-/);
  const cookie = `market-who=${ADA}; market-save=${versionId}`;
  const shown = await app.inject({ url: first.location, headers: { cookie } });
  assert.equal(shown.headers["refresh"], `0; url=${file}`);
  assert.match(String(shown.headers["set-cookie"]), /market-save=;.*Max-Age=0/);
  assert.equal((await get(first.location, ADA)).headers["refresh"], undefined);

  assert.equal((await post(`${PAGE}/download`, ADA, { versionId })).location, `${PAGE}?done=again`);
  assert.equal(
    (await post(`${PAGE}/download`, OWNER, { versionId })).location,
    `${PAGE}?done=mine`,
  );
  assert.deepEqual(
    markethook.reports.map(({ event }) => event.event),
    ["product.user.purchase", "product.user.firstDownload"],
  );
  const { body, headers } = await get(file, ADA);
  assert.match(body, /Welcome, %s!/);
  assert.equal(headers["content-disposition"], 'attachment; filename="sample-plugin-1.1.lua"');
});

test("a refund is made once, a chargeback as often as the bank sends it, and then it has to be bought again", async (t) => {
  const { get, post, shop, markethook } = await openSite(t);
  await post(`${PAGE}/buy`, ADA);
  const order = shop.data.orders[0]?.id ?? "";
  for (const kind of ["refund", "refund", "chargeback", "chargeback"]) {
    await post(`${PAGE}/orders/${order}/${kind}`, OWNER);
  }
  assert.deepEqual(
    markethook.reports.map(({ key, event }) => [key.replace(/-.*/, ""), event.event]),
    [
      ["order", "product.user.purchase"],
      ["refund", "product.user.purchaseRemoved"],
      ["chargeback", "product.user.purchaseRemoved"],
      ["chargeback", "product.user.purchaseRemoved"],
    ],
  );
  assert.equal(new Set(markethook.reports.map(({ key }) => key)).size, 4);
  assert.match((await get(PAGE, ADA)).body, /Buy for 4\.99 EUR/);
  assert.match((await post(`${PAGE}/buy`, ADA)).location, /\?report=order-/);
  assert.equal((await post(`${PAGE}/orders/order-unknown/refund`, OWNER)).status, 404);
});

test("details that cannot be are refused with a sentence, and what was typed stays", async (t) => {
  const { post, shop } = await openSite(t);
  const empty = await post(`${PAGE}/details`, OWNER, { title: " \u0000 ", subtitle: "kept" });
  assert.equal(empty.status, 422);
  assert.match(empty.body, /role="alert">Give the resource a title\..*value="kept"/s);
  const long = await post(`${PAGE}/details`, OWNER, { title: "x".repeat(501) });
  assert.match(long.body, /The title is 501 characters long; at most 500 are allowed\./);
  assert.equal(shop.findResource("sample-plugin")?.title, "Sample Plugin");
});

test("hostile words are shown as words, in every place", async (t) => {
  const { get, post } = await openSite(t);
  const hostile = `</title><script>alert(1)</script>"onload='x'`;
  await post(`${PAGE}/details`, OWNER, { title: hostile, subtitle: hostile });
  for (const path of ["/", PAGE, `${PAGE}/webhooks`, `${PAGE}?report=${hostile}&done=${hostile}`]) {
    const { status, body } = await get(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(body, /<script(?! src="\/frame\.js"><\/script>)|"onload/, path);
  }
});

test("Webhooks opens Markethook's page in a frame from there and nowhere else, and by itself", async (t) => {
  const { get, markethook } = await openSite(t);
  const { body, headers } = await get(`${PAGE}/webhooks`);
  const back = encodeURIComponent("http://market.example/resource/sample-plugin");
  const url = `http://hooks.example:8080/portal/#code=sample-plugin&return=${back}`;
  const [, shown = ""] = /<iframe\s+src="([^"]+)"/.exec(body) ?? [];
  assert.ok(shown.replaceAll("&amp;", "&").startsWith(`${url}&accent=%23364fc7&`), shown);
  assert.match(
    String(headers["content-security-policy"]),
    /; script-src 'self'; frame-src http:\/\/hooks\.example:8080$/,
  );
  const [, script = ""] = /<script src="([^"]+)"/.exec(body) ?? [];
  assert.match((await get(script)).body, /markethook:height/);
  const alone = await get(`${PAGE}/webhooks/open`);
  assert.deepEqual([alone.status, alone.headers["location"]], [303, url]);

  markethook.away = true;
  const away = await get(`${PAGE}/webhooks`);
  assert.equal(away.status, 503);
  assert.match(away.body, /cannot be opened now.*cannot be reached/s);
});

test("who comes from Markethook's page without a session is sent back to the place that they came from", async (t) => {
  const { get, markethook } = await openSite(t);
  const path = encodeURIComponent("/deliveries/dlv_1");
  const all = await get(`/webhooks?path=${path}`);
  const place = `&path=${path}`;
  const to = (about: string, back: string) =>
    `http://hooks.example:8080/portal/#code=${about}&return=${encodeURIComponent(back)}${place}`;
  assert.deepEqual(
    [all.status, all.headers["location"]],
    [303, to("all", "http://market.example/")],
  );
  const one = await get(`/webhooks?path=${path}&resourceId=sample-plugin`);
  assert.equal(
    one.headers["location"],
    to("sample-plugin", "http://market.example/resource/sample-plugin"),
  );
  const framed = await get(`/webhooks?path=${path}&resourceId=sample-plugin&frame=1`);
  assert.equal(framed.headers["location"], `${PAGE}/webhooks?path=${path}`);
  const page = await get(`${PAGE}/webhooks?path=${path}`);
  assert.ok(page.body.includes(`&amp;path=${path}&amp;`));

  const foreign = await get(`/webhooks?path=${path}&resourceId=none&frame=1`);
  assert.equal(foreign.headers["location"], to("all", "http://market.example/"));
  assert.equal((await get(`/webhooks?path=${path}`, ADA)).status, 403);
  assert.equal((await get("/webhooks?path=%2F%2Fevil.example")).status, 400);
  markethook.away = true;
  assert.equal((await get("/webhooks")).status, 503);
});

test("where Markethook does not let us embed its page, Webhooks goes there", async (t) => {
  const { get } = await openSite(t, false);
  const { status, headers } = await get(`${PAGE}/webhooks`);
  assert.equal(status, 303);
  assert.match(String(headers["location"]), /^http:\/\/hooks\.example:8080\/portal\//);
});

test("pages run no scripts and stand in no frame, and another site's forms get nothing", async (t) => {
  const { get, post, shop } = await openSite(t);
  const { headers } = await get(PAGE);
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src|unsafe/);
  for (const foreign of [
    { origin: "http://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]) {
    assert.equal(
      (await post(`${PAGE}/buy`, ADA, {}, foreign as Record<string, string>)).status,
      403,
    );
  }
  assert.equal(shop.data.orders.length, 0);
  const own = { origin: "http://market.example", "sec-fetch-site": "same-origin" };
  assert.equal((await post(`${PAGE}/buy`, ADA, {}, own)).status, 303);
});

test("what is not there is a page that says so", async (t) => {
  const { get, post } = await openSite(t);
  for (const path of [
    "/nowhere",
    "/resource/none",
    `${PAGE}/file/update-none`,
    "/resource/none/webhooks",
  ]) {
    const { status, body } = await get(path);
    assert.equal(status, 404, path);
    assert.match(body, /<h1>Not found<\/h1>/);
  }
  assert.equal((await post("/resource/none/buy", ADA)).status, 404);
  assert.equal((await post(`${PAGE}/download`, ADA, { versionId: "../shop" })).status, 404);
});
