import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { service, shop, useService } from "./use-service.ts";

/** As many connections as a browser keeps to a server without HTTP/2, for all its tabs together. */
const CONNECTIONS = 6;

useService();

before(async () => {
  await shop.addWebhook("castle", { url: "http://127.0.0.1:9/x" });
  await shop.buy("castle", 1, 4711);
});

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
  await using open = await openPage(await service.link({ path: "/deliveries" }));
  await open.getByText("Live", { exact: true }).waitFor();
  await logRows(open).filter({ hasText: "user 4711" }).waitFor();
  const tabs = [open];
  while (tabs.length <= CONNECTIONS) {
    const page = await open.context().newPage();
    await show(tabs.at(-1) ?? page, false);
    await page.goto(await service.link({ path: "/deliveries" }));
    await page.getByText("Live", { exact: true }).waitFor();
    tabs.push(page);
  }
  await shop.buy("castle", 1, 4712);
  await logRows(tabs[CONNECTIONS] ?? open)
    .filter({ hasText: "user 4712" })
    .waitFor();
  assert.equal(await logRows(open).filter({ hasText: "user 4712" }).count(), 0);
  await show(open, true);
  await logRows(open).filter({ hasText: "user 4712" }).waitFor();
});
