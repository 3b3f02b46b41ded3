import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";

/** As many connections as a browser keeps to a server without HTTP/2, for all its tabs together. */
const CONNECTIONS = 6;

let service: PortalService;
let browser: Browser;

before(async () => {
  [service, browser] = await Promise.all([startPortalService(), startBrowser()]);
  await service.api("PUT", "/resources/castle", { title: "Castle", ownerId: "owner-1" });
  await service.api("POST", "/resources/castle/webhooks", { url: "http://127.0.0.1:9/x" });
  await buy(4711);
});

after(async () => {
  await Promise.all([browser.close(), service.stop()]);
});

async function buy(userId: number): Promise<void> {
  await service.api("POST", "/events", {
    events: [{ resourceId: "castle", event: "product.user.purchase", user: { id: userId } }],
  });
}

/** As when another tab is chosen; a browser that is driven by a program takes all its tabs for seen. */
async function show(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    isSeen ? "visible" : "hidden",
  );
}

test("however many tabs show the pages, one more works, and one that is seen again has caught up", async () => {
  await using open = await openPage(browser, await service.link({ path: "/deliveries" }));
  await open.page.getByText("Live", { exact: true }).waitFor();
  await logRows(open.page).filter({ hasText: "user 4711" }).waitFor();
  const tabs = [open.page];
  while (tabs.length <= CONNECTIONS) {
    const page = await open.page.context().newPage();
    await show(tabs.at(-1) ?? page, false);
    await page.goto(await service.link({ path: "/deliveries" }));
    await page.getByText("Live", { exact: true }).waitFor();
    tabs.push(page);
  }
  await buy(4712);
  await logRows(tabs[CONNECTIONS] ?? open.page)
    .filter({ hasText: "user 4712" })
    .waitFor();
  assert.equal(await logRows(open.page).filter({ hasText: "user 4712" }).count(), 0);
  await show(open.page, true);
  await logRows(open.page).filter({ hasText: "user 4712" }).waitFor();
});
