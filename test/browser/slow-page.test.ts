import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";

let service: PortalService;
let browser: Browser;
before(async () => {
  [service, browser] = await Promise.all([startPortalService(), startBrowser()]);
});
after(async () => {
  await Promise.all([browser.close(), service.stop()]);
});

test("a page whose code takes long to come says that it is loading, and is marked meanwhile", async () => {
  await service.api("PUT", "/resources/slow", { title: "Slow", ownerId: "owner-1" });
  await using open = await openPage(browser, "about:blank");
  const { page } = open;
  const held = Promise.withResolvers<undefined>();
  await page.route("**/assets/events-page*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(await service.link({ resourceId: "slow" }));
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("status").getByText("Loading").waitFor();
  const marked = page.getByRole("navigation").locator("[aria-current]");
  assert.equal(await marked.textContent(), "Events");
  held.resolve(undefined);
  await page.getByText("Why did nothing arrive?").waitFor();
});
