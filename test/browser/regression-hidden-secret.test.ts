import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { type AnsweringReceiver, startAnsweringReceiver } from "./answering-receiver.ts";
import { startBrowser } from "./browser.ts";
import { comeBack, openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { openShop, type Shop } from "./shop.ts";

let service: PortalService;
let browser: Browser;
let receiver: AnsweringReceiver;
let shop: Shop;

before(async () => {
  [service, browser, receiver] = await Promise.all([
    startPortalService(),
    startBrowser(),
    startAnsweringReceiver(),
  ]);
  shop = openShop(service, receiver);
});

after(async () => {
  await Promise.all([browser.close(), service.stop(), receiver.close()]);
});

test("a secret that is hidden again is not read by coming back to the tab", async () => {
  const id = await shop.addWebhook("secret");
  const link = await service.link({ path: `/webhooks/${id}?tab=secret` });
  await using open = await openPage(browser, link);
  const { page } = open;
  let readings = 0;
  page.on("request", (request) => (readings += request.url().endsWith("/secret") ? 1 : 0));
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page.getByRole("button", { name: "Hide secret" }).click();
  assert.equal(readings, 1);
  await page.clock.install();
  await page.clock.fastForward("02:00");
  const read = page.waitForResponse((response) => /\/webhooks\/wh_\w+$/.test(response.url()));
  await comeBack(page);
  await read;
  assert.equal(readings, 1);
});
