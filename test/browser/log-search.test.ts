import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { receiver, useBrowser } from "./use-service.ts";

useBrowser();

const rows = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("link");

async function search(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("Search deliveries");
  await field.fill(text);
  await field.press("Enter");
}

/** Of two purchases one has an order's number, and the other was answered in other words. */
async function sell(service: PortalService): Promise<void> {
  await service.api("PUT", "/resources/castle", { title: "Castle", ownerId: "owner-1" });
  await service.api("POST", "/resources/castle/webhooks", { url: receiver.url });
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
}

for (const [name, place] of PAGE_PLACES) {
  test(`${name}: an order's number, a reply and a buyer are found, and it is said what was searched`, async () => {
    const service = await startPortalService({}, place);
    try {
      await sell(service);
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
    } finally {
      await service.stop();
    }
  });
}

test("the log of all is narrowed to a resource, to a webhook, and to replies that begin with 5", async () => {
  const service = await startPortalService({ MARKETHOOK_RETRY_SCHEDULE: "1h" });
  try {
    await sell(service);
    await service.api("PUT", "/resources/farm", { title: "Farm", ownerId: "owner-1" });
    for (const description of ["Bot", "Mail"]) {
      await service.api("POST", "/resources/farm/webhooks", { url: receiver.url, description });
    }
    receiver.status = 503;
    const seen = receiver.requests.length;
    const user = { id: 4713 };
    await service.api("POST", "/resources/farm/events", { event: "product.user.purchase", user });
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
    await place.selectOption("All of Castle");
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
  } finally {
    await service.stop();
  }
});

test("a search that did not reach the end goes on when it is told to", async () => {
  const service = await startPortalService();
  try {
    await sell(service);
    await using page = await openPage(await service.link());
    let asked = 0;
    await page.route(/\/v1\/deliveries\?.*search=/, async (route) => {
      asked += 1;
      const url = new URL(route.request().url());
      if (url.searchParams.get("cursor") === null) {
        const searched = { deliveries: 5000, backTo: "2026-11-25T14:03:00.000Z" };
        await route.fulfill({ json: { items: [], nextCursor: "further", searched } });
      } else {
        url.searchParams.delete("cursor");
        await route.fulfill({ response: await route.fetch({ url: url.href }) });
      }
    });
    await page.getByRole("link", { name: "Deliveries" }).click();
    await rows(page).nth(1).waitFor();
    // When the stream opens, an earlier search is repeated.
    await page.getByText("Live", { exact: true }).waitFor();
    await search(page, "88213");
    await page.getByText(/^Searched the newest 5,000 deliveries, back to .*:03/).waitFor();
    assert.equal(asked, 1);
    await page.getByRole("button", { name: "Search further" }).click();
    await rows(page).filter({ hasText: "user 4711" }).waitFor();
    await page.getByText("Searched all 5,002 deliveries.").waitFor();
    assert.equal(asked, 2);
  } finally {
    await service.stop();
  }
});

test("a search goes on where that was pressed before the stream of deliveries is open, and after each gap of it", async () => {
  const service = await startPortalService();
  try {
    await sell(service);
    await using page = await openPage("about:blank");
    const [opened, found] = [
      Promise.withResolvers<undefined>(),
      Promise.withResolvers<undefined>(),
    ];
    await page.route(/\/v1\/deliveries\/stream/, async (route) => {
      await opened.promise;
      await route.continue();
    });
    await page.route(/\/v1\/deliveries\?.*search=/, async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get("cursor") === null) {
        const searched = { deliveries: 5000, backTo: "2026-11-25T14:03:00.000Z" };
        await route.fulfill({ json: { items: [], nextCursor: "further", searched } });
      } else {
        await found.promise;
        url.searchParams.delete("cursor");
        await route.fulfill({ response: await route.fetch({ url: url.href }) });
      }
    });
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
  } finally {
    await service.stop();
  }
});

test("a range of times that ends before it begins is said at its field", async () => {
  const service = await startPortalService();
  try {
    await sell(service);
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
  } finally {
    await service.stop();
  }
});
