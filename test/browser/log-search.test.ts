import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";
import { receiver, useBrowser } from "./use-service.ts";

useBrowser();

const rows = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("link");

async function search(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("Search deliveries");
  await field.fill(text);
  await field.press("Enter");
}

/** A service with two purchases: one has an order's number, and the other was answered in other words. */
async function startSold(t: TestContext, ...how: Parameters<typeof startPortalService>) {
  const service = await startPortalService(...how);
  t.after(() => service.stop());
  await openShop(service, receiver).addWebhook("castle");
  for (const [userId, orderId, text] of [
    [4711, "A-88213", "stored it"],
    [4712, "A-99999", "Duplicate entry"],
  ] as const) {
    receiver.text = text;
    const seen = receiver.requests.length;
    const details = { orderId };
    const purchase = { event: "product.user.purchase", user: { id: userId }, details };
    await service.api("POST", "/resources/castle/events", purchase);
    await receiver.answered(seen + 1);
  }
  return service;
}

/** A search finds nothing at first, and all when it goes on, after `wait`. Counts its steps. */
async function searchInSteps(page: Page, wait?: Promise<unknown>): Promise<{ count: number }> {
  const steps = { count: 0 };
  await page.route(/\/v1\/deliveries\?.*search=/, async (route) => {
    steps.count += 1;
    const url = new URL(route.request().url());
    if (url.searchParams.get("cursor") === null) {
      const searched = { deliveries: 5000, backTo: "2026-11-25T14:03:00.000Z" };
      await route.fulfill({ json: { items: [], nextCursor: "further", searched } });
    } else {
      await wait;
      url.searchParams.delete("cursor");
      await route.fulfill({ response: await route.fetch({ url: url.href }) });
    }
  });
  return steps;
}

for (const [name, place] of PAGE_PLACES) {
  test(`${name}: an order's number, a reply and a buyer are found, and it is said what was searched`, async (t) => {
    const service = await startSold(t, {}, place);
    await using page = await openPage(await service.link());
    await page.getByRole("link", { name: "Deliveries" }).click();
    await rows(page)
      .filter({ hasText: /Delivered.*user 4712/s })
      .waitFor();
    for (const [text, user, other] of [
      ["a-88213", 4711, 4712],
      ["duplicate ENTRY", 4712, 4711],
    ] as const) {
      await search(page, text);
      await rows(page)
        .filter({ hasText: `user ${other}` })
        .waitFor({ state: "detached" });
      await rows(page)
        .filter({ hasText: `user ${user}` })
        .waitFor();
      await page.getByText("Searched all 2 deliveries.").waitFor();
    }
    await search(page, "nowhere");
    await page.getByText("Nothing matches").waitFor();

    await search(page, "4711");
    await page.getByRole("button", { name: "All about buyer 4711" }).click();
    await page.waitForURL(/userId=4711/);
    await page.getByRole("button", { name: "All buyers, not 4711 alone" }).click();
    await rows(page).nth(1).waitFor();

    await page.getByLabel("Search deliveries").fill("x");
    await page.getByText("At least two characters").waitFor();
  });
}

test("the log of all is narrowed to a resource, to a webhook, and to replies that begin with 5", async (t) => {
  const service = await startSold(t, { MARKETHOOK_RETRY_SCHEDULE: "1h" });
  const shop = openShop(service, receiver);
  for (const description of ["Bot", "Mail"]) await shop.addWebhook("farm", { description });
  receiver.status = 503;
  const seen = receiver.requests.length;
  await shop.buy("farm", 1, 4713);
  await receiver.answered(seen + 2);
  receiver.status = 200;
  await using page = await openPage(await service.link());
  const of = async (count: number, text: string | RegExp) => {
    const shown = page.getByText(`${count} ${count === 1 ? "delivery" : "deliveries"}`);
    await shown.first().waitFor();
    await rows(page).filter({ hasText: text }).nth(0).waitFor();
  };
  await page.getByRole("link", { name: "Deliveries" }).click();
  await of(4, /503/);
  const place = page.getByLabel("Resource or webhook");
  await place.selectOption("All of The castle");
  await of(2, "user 4712");
  await page.getByText(/^In all: 2 delivered/).waitFor();
  await place.selectOption("Mail");
  await of(1, "user 4713");
  await page.getByLabel("HTTP status").fill("2xx");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await of(4, /503/);
  assert.equal(await page.getByLabel("HTTP status").inputValue(), "");
  await page.getByLabel("HTTP status").fill("5xx");
  await of(2, /503/);
  await hasNoViolation(page);
});

test("a search that did not reach the end goes on when it is told to", async (t) => {
  const service = await startSold(t);
  await using page = await openPage(await service.link());
  const steps = await searchInSteps(page);
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page).nth(1).waitFor();
  // When the stream opens, an earlier search is repeated.
  await page.getByText("Live", { exact: true }).waitFor();
  await search(page, "88213");
  await page.getByText(/^Searched the newest 5,000 deliveries, back to .*:03/).waitFor();
  assert.equal(steps.count, 1);
  await page.getByRole("button", { name: "Search further" }).click();
  await rows(page).filter({ hasText: "user 4711" }).waitFor();
  await page.getByText("Searched all 5,002 deliveries.").waitFor();
  assert.equal(steps.count, 2);
});

test("a search goes on where that was pressed before the stream of deliveries is open, and after each gap of it", async (t) => {
  const service = await startSold(t);
  await using page = await openPage("about:blank");
  const [opened, found] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  await page.route(/\/v1\/deliveries\/stream/, async (route) => {
    await opened.promise;
    await route.continue();
  });
  await searchInSteps(page, found.promise);
  await page.goto(await service.link({ path: "/deliveries?search=88213" }));
  await page.getByRole("button", { name: "Search further" }).click();
  opened.resolve(undefined);
  await page.getByText("Live", { exact: true }).waitFor();
  found.resolve(undefined);
  await rows(page).filter({ hasText: "user 4711" }).waitFor();
  await page.getByText("Searched all 5,002 deliveries.").waitFor();
  // A tab that is not seen has no stream, and opens it when it is seen again.
  const reopened = page.waitForRequest(/\/v1\/deliveries\/stream/);
  const live = page.getByText("Live", { exact: true });
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await live.waitFor({ state: "detached" });
  await page.evaluate(() => {
    Reflect.deleteProperty(document, "visibilityState");
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await reopened;
  await page.waitForResponse((one) => one.url().includes("search="));
  await live.waitFor();
  await page.getByText("Searched all 5,002 deliveries.").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Show new/ }).count(), 0);
  assert.equal(await rows(page).count(), 1);
  await page.unrouteAll({ behavior: "wait" });
});

test("a range of times that ends before it begins is said at its field", async (t) => {
  const service = await startSold(t);
  await using page = await openPage(await service.link());
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByRole("combobox", { name: "Time" }).selectOption({ label: "From … to …" });
  const to = page.getByLabel("To", { exact: true });
  await page.getByLabel("From", { exact: true }).fill("2026-11-02T10:00");
  await to.fill("2026-11-01T10:00");
  await page.getByText("The range ends before it begins.").waitFor();
  assert.equal(await to.getAttribute("aria-invalid"), "true");
  await hasNoViolation(page);
  await to.fill("2026-11-03T10:00");
  await page.getByText("The range ends before it begins.").waitFor({ state: "detached" });
});
