import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { addWaiting } from "./shop.ts";

let service: PortalService;
let browser: Browser;
let webhook: string;

before(async () => {
  [service, browser] = await Promise.all([
    startPortalService({ MARKETHOOK_RETRY_SCHEDULE: "1h,1h" }),
    startBrowser(),
  ]);
  webhook = await addWaiting(service);
});

after(async () => {
  await Promise.all([browser.close(), service.stop()]);
});

test("that the page lost sight of what it sends is not said to be a stop of it", async () => {
  await using open = await openPage(browser, await service.link({ path: `/webhooks/${webhook}` }));
  const { page } = open;
  let isMade = false;
  await page.route("**/send-waiting", async (route) => {
    const isLook = route.request().postData()?.includes("dryRun") === true;
    // Those before count what waits.
    if (!isLook) isMade = true;
    else if (isMade) return await route.abort();
    await route.continue();
  });
  await page.getByRole("button", { name: "Send 2 now" }).click();
  await page.getByText("The service cannot be reached").waitFor();
  await page.getByText(/of 2 (was|were) sent; what was begun is still sent\./).waitFor();
  assert.equal(await page.getByText("as before").count(), 0);
});
