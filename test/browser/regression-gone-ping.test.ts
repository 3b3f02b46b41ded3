import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { type AnsweringReceiver, startAnsweringReceiver } from "./answering-receiver.ts";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";

let service: PortalService;
let browser: Browser;
let receiver: AnsweringReceiver;

before(async () => {
  [service, browser, receiver] = await Promise.all([
    startPortalService({ MARKETHOOK_RETRY_SCHEDULE: "1h" }),
    startBrowser(),
    startAnsweringReceiver(),
  ]);
});

after(async () => {
  await Promise.all([browser.close(), service.stop(), receiver.close()]);
});

test("a failing webhook whose last ping was answered 410 is not said to be disabled", async () => {
  const shop = openShop(service, receiver);
  const id = await shop.addWebhook("castle");
  receiver.status = 500;
  await shop.sell("castle", 1);
  await using open = await openPage(
    browser,
    await service.link({ resourceId: "castle", path: `/webhooks/${id}` }),
  );
  const { page } = open;
  await page.getByText("Last time: your server replied with an error (500).").waitFor();
  receiver.status = 410;
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Last time: your server replied 410 Gone (410).").waitFor();
  await page.getByText("A ping disables nothing.").nth(1).waitFor();
  assert.equal(await page.getByText("That disabled the webhook.").count(), 0);
  assert.equal((await service.api("GET", `/webhooks/${id}`))["state"], "active");
});
