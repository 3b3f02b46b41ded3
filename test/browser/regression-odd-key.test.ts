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

test("an operator's key that no request can carry is refused, and characters that nobody sees are no part of one", async () => {
  await using open = await openPage(browser, `${service.address}/operator/`);
  const { page } = open;
  const enter = async (key: string): Promise<void> => {
    await page.getByLabel("API key", { exact: true }).fill(key);
    await page.getByRole("button", { name: "Open", exact: true }).click();
  };
  for (const key of ["mh_…", "Schlüssel", "mh_1 mh_2"]) {
    await enter(key);
    await page.getByText("This key is not accepted").waitFor();
  }
  await enter(`\u200b${service.apiKey}\u2060`);
  await page.getByText("Refreshed every two seconds.").waitFor();
});
