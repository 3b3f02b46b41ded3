import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

before(() => shop.addWebhook("castle"));

/** From now on the service answers nothing, as in an outage, until the returned function is called. */
async function loseService(
  page: Page,
  answer: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  const all = "**/*";
  await page.route(all, answer);
  return async () => await page.unroute(all);
}

/** The returned function tells whether the page has not been loaded again since. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => (document.body.dataset["marked"] = ""));
  return async () => (await page.locator("body[data-marked]").count()) === 1;
}

for (const { part, outage, answer, press, shown } of [
  {
    part: "webhook-dialogs",
    outage: "an outage",
    answer: async (route: Route) => await route.abort("connectionrefused"),
    press: async (page: Page) => await page.getByRole("button", { name: /^Delete/ }).click(),
    shown: async (page: Page) => await page.getByRole("dialog").waitFor(),
  },
  {
    part: "events-page",
    outage: "an outage behind a proxy that answers",
    answer: async (route: Route) => await route.fulfill({ status: 502, body: "Bad Gateway" }),
    press: async (page: Page) =>
      await page.getByRole("link", { name: "Events", exact: true }).click(),
    shown: async (page: Page) => await page.getByText("Why did nothing arrive?").waitFor(),
  },
]) {
  test(`in ${outage} an error stands in place of ${part}, the page stays as it is, and Try again shows the part`, async () => {
    await using page = await openPage("about:blank");
    // Nothing is fetched ahead.
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
    await page.goto(await service.link());
    await page.getByRole("list", { name: "Webhooks of The castle" }).waitFor();
    const isSamePage = await mark(page);
    const endOutage = await loseService(page, answer);
    await press(page);
    const failure = page.getByRole("alert").filter({ hasText: "This part could not be shown" });
    await failure.waitFor();
    if (part === "webhook-dialogs") {
      await page.getByRole("list", { name: "Webhooks of The castle" }).waitFor();
    }
    await failure.getByRole("button", { name: "Try again" }).click();
    await failure.locator("[aria-busy]").waitFor({ state: "detached" });
    await failure.waitFor();
    await endOutage();
    await failure.getByRole("button", { name: "Try again" }).click();
    await shown(page);
    assert.ok(await isSamePage());
    assert.equal(await failure.count(), 0);
  });
}

test("a part whose style was lost on the way is not shown without it", async () => {
  await using page = await openPage("about:blank");
  const style = /assets\/later-.*\.css/;
  const lost = page.waitForEvent("requestfailed", (request) => style.test(request.url()));
  await page.route(style, async (route) => await route.abort());
  await page.goto(await service.link());
  await page.getByRole("list", { name: "Webhooks of The castle" }).waitFor();
  // Fetched ahead, before somebody opens it.
  await lost;
  await page.unroute(style);
  await page.getByRole("link", { name: "Deliveries", exact: true }).click();
  await page.getByLabel("Search deliveries").waitFor();
  const filters = page.getByRole("search");
  assert.equal(await filters.evaluate((form) => getComputedStyle(form).display), "flex");
});
