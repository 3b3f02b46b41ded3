import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { type AnsweringReceiver, startAnsweringReceiver } from "./answering-receiver.ts";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";

let service: PortalService;
let browser: Browser;
let receiver: AnsweringReceiver;

before(async () => {
  [service, browser, receiver] = await Promise.all([
    startPortalService(),
    startBrowser(),
    startAnsweringReceiver(),
  ]);
});

after(async () => {
  await Promise.all([browser.close(), service.stop(), receiver.close()]);
});

test("where several resources have one server, the log, a delivery and a webhook's page name the resource", async () => {
  const shop = openShop(service, receiver);
  for (const id of ["castle", "farm"]) {
    await shop.addWebhook(id);
    await shop.sell(id, 1);
  }
  await using open = await openPage(browser, await service.link({ path: "/deliveries" }));
  const { page } = open;
  await logRows(page)
    .filter({ hasText: /The castle\u2069 · http/ })
    .waitFor();
  await logRows(page)
    .filter({ hasText: /The farm\u2069 · http/ })
    .click();
  // The fact, and the webhook's page that the fact above it leads to.
  await page
    .getByRole("definition")
    .filter({ hasText: /^The farm$/ })
    .waitFor();
  await page.getByRole("definition").getByRole("link", { name: /^http/ }).click();
  await page.getByText("Of The farm").waitFor();
});
