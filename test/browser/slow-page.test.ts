import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("a page whose code takes long to come says that it is loading, and is marked meanwhile", async () => {
  await service.api("PUT", "/resources/slow", { title: "Slow", ownerId: "owner-1" });
  await using page = await openPage("about:blank");
  const held = Promise.withResolvers<undefined>();
  await page.route("**/assets/events-page*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(await service.link({ resourceId: "slow" }));
  // This page, too, says that it is loading at first.
  await page.getByRole("list", { name: "No webhooks yet" }).waitFor();
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("status").getByText("Loading").waitFor();
  const marked = page.getByRole("navigation").locator("[aria-current]");
  await marked.filter({ hasText: "Events" }).waitFor();
  assert.equal(await marked.count(), 1);
  held.resolve(undefined);
  await page.getByText("Why did nothing arrive?").waitFor();
});

for (const { tab, button, path } of [
  { tab: "Secret", button: /^Reveal/, path: "secret" },
  { tab: "Settings", button: /whole address/, path: "url" },
]) {
  test(`the ${path} can be hidden only once it is there, and asked for again after a refusal`, async () => {
    await service.api("PUT", "/resources/late", { title: "Late", ownerId: "owner-1" });
    const { id, secret } = await service.api("POST", "/resources/late/webhooks", {
      url: "http://127.0.0.1:9/a-secret-path",
    });
    const link = await service.link({ path: `/webhooks/${String(id)}` });
    await using page = await openPage(link);
    const asked = Promise.withResolvers<Route>();
    await page.route(`**/${path}`, (route) => asked.resolve(route), { times: 1 });
    await page.getByRole("tab", { name: tab }).click();
    const reveal = page.getByRole("button", { name: button }).first();
    await reveal.click();
    const request = await asked.promise;
    assert.equal(await page.getByRole("button", { name: /^Hide/ }).count(), 0);
    await request.fulfill({ status: 403, json: { code: "scope_missing" } });
    await page.getByRole("alert").first().waitFor();
    await reveal.click();
    const shown = path === "secret" ? String(secret) : "a-secret-path";
    await page.getByTestId("secret").filter({ hasText: shown }).waitFor();
  });
}

test("until the log is read as it is narrowed now, nothing is said of it as it was before", async () => {
  const id = await shop.addWebhook("stale", { url: "http://127.0.0.1:9/x" });
  await service.api("POST", `/webhooks/${id}/ping`);
  const link = await service.link({ path: `/deliveries?webhookId=${id}` });
  await using page = await openPage(link);
  const count = page.getByRole("search").getByText("1 delivery");
  await count.waitFor();
  const held = new Map([["cancelled", Promise.withResolvers<undefined>()]]);
  held.set("delivered", Promise.withResolvers<undefined>());
  await page.route(/\/v1\/deliveries\?.*state=/, async (route) => {
    await held.get(new URL(route.request().url()).searchParams.get("state") ?? "")?.promise;
    await route.continue();
  });
  const loading = page.getByRole("search").getByText("Loading");
  const state = page.getByRole("combobox", { name: "State" });
  await state.selectOption({ label: "Cancelled" });
  await loading.waitFor();
  assert.equal(await count.count(), 0);
  held.get("cancelled")?.resolve(undefined);
  const none = page.getByText("Nothing matches");
  await none.waitFor();
  await state.selectOption({ label: "Delivered" });
  await loading.waitFor();
  assert.equal(await none.count(), 0);
  held.get("delivered")?.resolve(undefined);
  await none.waitFor();
});

test("until events are read as they are narrowed now, nothing is said of why others could not be read", async () => {
  await service.api("PUT", "/resources/refused", { title: "Refused", ownerId: "owner-1" });
  await using page = await openPage("about:blank");
  const held = Promise.withResolvers<undefined>();
  await page.route(/\/v1\/events\?.*userId=1\b/, async (route) => {
    await route.fulfill({ status: 422, json: { code: "field_invalid" } });
  });
  await page.route(/\/v1\/events\?.*userId=2\b/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(await service.link({ path: "/events?userId=1" }));
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  const other = page.waitForRequest(/userId=2\b/);
  await page.getByRole("search").getByRole("textbox").fill("2");
  await page.getByRole("button", { name: "Find" }).click();
  await other;
  await page.getByRole("status").getByText("Loading").waitFor();
  assert.equal(await again.count(), 0);
  held.resolve(undefined);
  await page.unrouteAll({ behavior: "wait" });
});

test("a button that reads a secret says that it works on it, and reads it once however often it is pressed", async () => {
  const id = await shop.addWebhook("pressed", { url: "http://127.0.0.1:9/x" });
  const link = await service.link({ path: `/webhooks/${id}?tab=secret` });
  await using page = await openPage(link);
  const held = Promise.withResolvers<undefined>();
  let asked = 0;
  await page.route("**/secret", async (route) => {
    asked += 1;
    await held.promise;
    await route.continue();
  });
  for (const name of [/^Copy/, /^Reveal/]) {
    const button = page.getByRole("button", { name }).first();
    await button.click();
    await button.and(page.locator("[aria-busy]")).waitFor();
    await button.click({ force: true });
  }
  held.resolve(undefined);
  await page
    .getByTestId("secret")
    .filter({ hasText: /^\w{48}$/ })
    .waitFor();
  assert.equal(asked, 1);
});

test("until the webhooks are read, the filter of the log that is narrowed to one says that it loads, not that it shows all", async () => {
  const id = await shop.addWebhook("narrowed", { url: "http://127.0.0.1:9/x" });
  await using page = await openPage("about:blank");
  const held = Promise.withResolvers<undefined>();
  await page.route(/\/v1\/webhooks(\?|$)/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(await service.link({ path: `/deliveries?webhookId=${id}` }));
  const chosen = page.getByLabel("Resource or webhook").locator("option:checked");
  await chosen.waitFor({ state: "attached" });
  assert.equal(await chosen.textContent(), "Loading");
  held.resolve(undefined);
  await chosen.filter({ hasText: "127.0.0.1:9" }).waitFor({ state: "attached" });
});
