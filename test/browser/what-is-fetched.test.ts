import assert from "node:assert/strict";
import { test } from "node:test";
import { noteCopies, pressCopy } from "./note-copies.ts";
import { logRows, openWebhook } from "./open-webhook.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("a secret is not asked for before somebody wants to see or copy it", async () => {
  await shop.addWebhook("asked");
  await using page = await openPage(await service.link({ resourceId: "asked" }));
  let asked = 0;
  page.on("request", (request) => {
    if (/\/webhooks\/wh_\w+\/secret$/.test(request.url())) asked += 1;
  });
  await openWebhook(page);
  await page.getByRole("tab", { name: "Secret" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).waitFor();
  await page.evaluate(async () => await new Promise(requestAnimationFrame));
  assert.equal(asked, 0);
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page
    .getByTestId("secret")
    .filter({ hasText: /^\w{48}$/ })
    .waitFor();
  assert.equal(asked, 1);
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("A new secret is being introduced").waitFor();
  await page
    .getByTestId("secret")
    .filter({ hasText: /^\w{48}$/ })
    .nth(1)
    .waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Reveal new secret" }).waitFor();
  await page.evaluate(async () => await new Promise(requestAnimationFrame));
  const before = asked;
  const copied = await noteCopies(page);
  await pressCopy(page, "Copy new secret", "Copied new secret");
  assert.equal(asked, before + 1);
  const secret = await copied();
  assert.match(secret, /^\w{48}$/);
  assert.equal(await page.getByText(secret).count(), 0);
});

test("before parts are fetched ahead the service is asked once, and not for each of them", async () => {
  await using page = await openPage("about:blank");
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(`${request.method()} ${request.resourceType()}`));
  const last = page.waitForResponse(/\/events-page-[^/]+\.js$/);
  await page.goto(await service.link());
  await last;
  const count = (kind: string): number => asked.filter((one) => one === kind).length;
  assert.ok(count("GET script") > 10, "parts are fetched");
  assert.ok(
    count("HEAD fetch") >= 1 && count("HEAD fetch") <= 3,
    `asked ${count("HEAD fetch")} times`,
  );
});

test("after a ping the webhook is read once, and not the list that its page does not show", async () => {
  const id = await shop.addWebhook("pinged");
  await using page = await openPage(await service.link({ path: `/webhooks/${id}` }));
  await page.getByText("Live", { exact: true }).waitFor();
  await page.clock.install();
  await page.addInitScript(markStreamedEnd);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/webhooks(\/wh_\w+)?$/.test(pathname)) reads.push(pathname);
  });
  // Asked for from here on: on a slow machine the page's own pause may be over before the clock is moved.
  const answer = page.waitForResponse((one) => one.url().endsWith(`/webhooks/${id}`));
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping accepted with 200").waitFor();
  await page.locator("body[data-streamed]").waitFor();
  await page.clock.runFor(3000);
  await answer;
  assert.deepEqual(reads, [`/v1/webhooks/${id}`]);
});

/** Notes in the page when the stream has told that a delivery has ended. */
function markStreamedEnd(): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const answer = await real(...request);
    if (!answer.url.includes("/deliveries/stream")) return answer;
    const [kept, read] = answer.body?.tee() ?? [];
    void (async () => {
      let text = "";
      for await (const part of read?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += part;
        if (text.includes('"delivered"')) document.body.dataset["streamed"] = "";
      }
    })();
    return new Response(kept ?? null, answer);
  };
}

test("what a page shows is fetched once, lists once more when the stream opens, and they come compressed", async () => {
  await shop.addWebhook("once");
  await shop.sell("once", 40);
  await shop.untilStored("once", "delivered", 40);
  const link = await service.link({ resourceId: "once" });
  await using page = await openPage("about:blank");
  const asked: string[] = [];
  const encodings = new Map<string, string>();
  page.on("response", (response) => {
    const { pathname, search } = new URL(response.url());
    if (!pathname.startsWith("/v1/")) return;
    asked.push(pathname + search);
    encodings.set(pathname, response.headers()["content-encoding"] ?? "");
  });
  let lists = 0;
  // Leaving the list earlier would end its second reading, and then a third one is right.
  const readTwice = page.waitForEvent("requestfinished", (request) => {
    if (request.url().includes("/webhooks?")) lists += 1;
    return lists === 2;
  });
  // What was read is stale after ten seconds, and then read again; a slow machine takes as long.
  await page.clock.setFixedTime(Date.now());
  await page.goto(link);
  await readTwice;
  await openWebhook(page);
  await logRows(page).nth(9).waitFor();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await logRows(page).nth(9).waitFor();
  // The stream tells what happens from then on.
  const again = asked.filter((path, index) => asked.indexOf(path) !== index);
  assert.deepEqual(again, [...new Set(again)]);
  assert.deepEqual(
    again.filter((path) => !/\/(webhooks|deliveries)\?/.test(path)),
    [],
  );
  assert.ok(!asked.some((path) => path.startsWith("/v1/webhooks/wh_")), asked.join(" "));
  assert.match(encodings.get("/v1/deliveries") ?? "", /^(br|gzip)$/);
  assert.equal(encodings.get("/v1/portal-sessions/exchange"), "");
});
