import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sqlitePlace } from "../places.ts";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";

const MARKET = "https://market.example";
const services: ServiceProcess[] = [];
const places: Awaited<ReturnType<typeof sqlitePlace>>[] = [];

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const place = await sqlitePlace();
  places.push(place);
  return await startServiceProcess({ ...place.env, MARKETHOOK_BASE_URL: MARKET, ...env });
}

let open = "";
let closed = "";
before(async () => {
  const [one, two] = await Promise.all([start({ MARKETHOOK_EMBED_ORIGINS: MARKET }), start({})]);
  services.push(one, two);
  [open, closed] = [one.address, two.address];
});
after(async () => {
  for (const service of services) await service.kill();
  for (const place of places) await place.drop();
});

async function policyOf(url: string): Promise<Map<string, string>> {
  const { headers } = await fetch(url);
  const parts = (headers.get("content-security-policy") ?? "").split("; ");
  return new Map(
    parts.map((part) => [part.split(" ", 1)[0] ?? "", part.slice(part.indexOf(" ") + 1)]),
  );
}

test("pages load nothing from elsewhere and run nothing that stands in their text", async () => {
  for (const page of ["portal", "operator"]) {
    const policy = await policyOf(`${open}/${page}/`);
    assert.equal(policy.get("default-src"), "'none'");
    for (const [name, value] of policy) {
      assert.ok(!value.includes("unsafe") && !value.includes("*"), `${name} ${value}`);
    }
  }
});

test("the API reference loads nothing from elsewhere, runs nothing in its text, and stands in no frame", async () => {
  const policy = await policyOf(`${open}/docs/`);
  assert.equal(policy.get("default-src"), "'none'");
  assert.equal(policy.get("script-src"), "'self'");
  assert.equal(policy.get("frame-ancestors"), "'none'");
  assert.ok(![...policy.values()].some((value) => value.includes("http")));
  const answer = await fetch(`${open}/docs`);
  assert.equal(answer.url, `${open}/docs/`);
  assert.ok(!/(src|href)="https?:/.test(await answer.text()));
});

test("the owners' pages may be framed by listed origins alone, the operator's by none", async () => {
  assert.equal((await policyOf(`${open}/portal/`)).get("frame-ancestors"), MARKET);
  assert.equal((await policyOf(`${closed}/portal/`)).get("frame-ancestors"), "'none'");
  for (const page of [`${open}/operator/`, `${closed}/operator/`, `${closed}/portal/`]) {
    const { headers } = await fetch(page);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    assert.equal(headers.get("x-frame-options"), "DENY");
  }
});

test("pages tell nobody where they were, ask for no device, and have no window in common with others", async () => {
  for (const page of ["portal", "operator"]) {
    const { headers } = await fetch(`${open}/${page}/`);
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("permissions-policy") ?? "", /camera=\(\), geolocation=\(\)/);
    assert.equal(headers.get("set-cookie"), null);
  }
});

test("a page is looked at again each time, what it loads is kept for ever, and text comes compressed", async () => {
  const page = await fetch(`${open}/portal/`);
  assert.equal(page.headers.get("cache-control"), "no-cache");
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
  assert.ok(loaded.length > 0);
  let compressed = 0;
  for (const path of loaded) {
    const asset = new URL(path, `${open}/portal/`);
    assert.ok(asset.href.startsWith(`${open}/assets/`), path);
    const answer = await fetch(asset, { headers: { "accept-encoding": "br" } });
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("cache-control") ?? "", /max-age=31536000, immutable/);
    assert.equal(answer.headers.get("vary"), "accept-encoding");
    if (answer.headers.get("content-encoding") === "br") compressed += 1;
    await answer.body?.cancel();
  }
  assert.ok(compressed > 0);
});

test("a page that did not change is not sent again, and each form of a file has its own tag", async () => {
  const page = `${open}/operator/`;
  const tags = new Set<string>();
  for (const encoding of ["br", "gzip", "identity"]) {
    const headers = { "accept-encoding": encoding };
    const etag = (await fetch(page, { headers })).headers.get("etag") ?? "";
    tags.add(etag);
    const again = await fetch(page, { headers: { ...headers, "if-none-match": `W/${etag}` } });
    assert.deepEqual([again.status, await again.text()], [304, ""], encoding);
    const other = await fetch(page, { headers: { ...headers, "if-none-match": '"other"' } });
    assert.equal(other.status, 200);
    assert.match(await other.text(), /<title>/);
  }
  assert.ok(tags.size > 1 && !tags.has(""), [...tags].join(" "));
  const head = await fetch(page, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.ok(Number(head.headers.get("content-length")) > 0);
});

test("a page's address without its slash leads to it, whatever stands before it", async () => {
  const answer = await fetch(`${open}/portal`, { redirect: "manual" });
  assert.deepEqual([answer.status, answer.headers.get("location")], [302, "portal/"]);
});

test("nothing but the built files is served, and what is not there is a problem document", async () => {
  for (const path of [
    "/portal/absent.js",
    "/assets/",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/portal/%2e%2e/%2e%2e/package.json",
    "/assets/.env",
    "/operator/..%5c..%5cpackage.json",
  ]) {
    const answer = await fetch(`${open}${path}`);
    assert.equal(answer.headers.get("content-type"), "application/problem+json; charset=utf-8");
    assert.equal(answer.status, 404, path);
  }
});
