import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

const rows = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("link");
const userOf = (text: string | null): string => /user (\d+)/.exec(text ?? "")?.[1] ?? "";
const shownUsers = async (page: Page): Promise<string> =>
  (await rows(page).allTextContents()).map(userOf).join();

for (const [name, place] of PAGE_PLACES) {
  describe(`the live log on ${name}`, () => {
    useService({}, place);

    async function listed(resourceId: string): Promise<Record<string, unknown>[]> {
      const { items } = await service.api("GET", `/deliveries?resourceId=${resourceId}&limit=100`);
      return items as Record<string, unknown>[]; // As the API's document says.
    }

    async function openLog(page: Page): Promise<void> {
      await page.getByRole("link", { name: "Deliveries" }).click();
      await page.getByText("Live", { exact: true }).waitFor();
      await page.mouse.move(0, 0);
    }

    /** The log with one row, and a stream that tells nothing but what it is given. */
    async function openScripted(page: Page, resourceId: string) {
      await shop.addWebhook(resourceId);
      await shop.sell(resourceId, 1);
      const told = Promise.withResolvers<string>();
      let streams = 0;
      await page.route("**/v1/deliveries/stream**", async (route) => {
        streams += 1;
        // The next one never opens, so that nothing is read again.
        if (streams > 1) return;
        await route.fulfill({ contentType: "text/event-stream", body: await told.promise });
      });
      await page.goto(await service.link({ resourceId }));
      await page.getByRole("link", { name: "Deliveries" }).click();
      await rows(page).filter({ hasText: "user 1" }).waitFor();
      await page.mouse.move(0, 0);
      return (...events: [name: string, data: unknown][]): void =>
        told.resolve(
          events
            .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
            .join(""),
        );
    }

    test("deliveries that are told in another order stand in the order of the list", async () => {
      await using page = await openPage("about:blank");
      const tell = await openScripted(page, "order");
      await shop.sell("order", 6, 2);
      const items = await listed("order");
      // The newest come first, and one from between them last.
      const [a, b, c, d, e, f] = items;
      tell(...[c, a, b, f, e, d].map((one): [string, unknown] => ["delivery", one]));
      await rows(page).nth(6).waitFor();
      assert.equal(await shownUsers(page), items.map(({ userId }) => userId).join());
    });

    test("rows stay under the pointer when the stream has left something out", async () => {
      await using page = await openPage("about:blank");
      const tell = await openScripted(page, "flood");
      await rows(page).first().hover();
      await shop.sell("flood", 4, 10);
      tell(["delivery", (await listed("flood"))[1]], ["skipped", {}]);
      const button = page.getByRole("button", { name: "Show 4 new deliveries" });
      await button.waitFor();
      assert.equal(await shownUsers(page), "1");
      await button.click();
      await rows(page).nth(4).waitFor();
      assert.deepEqual(
        await shownUsers(page),
        (await listed("flood")).map(({ userId }) => userId).join(),
      );
    });

    test("a burst stands in the order of the list, with nothing left out", async () => {
      await shop.addWebhook("burst");
      await shop.sell("burst", 1, 1000);
      await using page = await openPage(await service.link({ resourceId: "burst" }));
      await openLog(page);
      await rows(page).first().waitFor();
      // More than one look of the stream tells.
      await shop.sell("burst", 300, 2000);
      const first = (await listed("burst")).slice(0, 12).map(({ userId }) => String(userId));
      await page.waitForFunction((expected) => {
        const shown = [...document.querySelectorAll('ul[aria-label="Deliveries"] a')];
        const users = shown.map((row) => /user (\d+)/.exec(row.textContent)?.[1]);
        return users.slice(0, 12).join() === expected;
      }, first.join());
    });

    test("rows stay under the pointer until they are asked for, or the pointer leaves", async () => {
      await shop.addWebhook("pointer");
      await shop.sell("pointer", 5);
      await using page = await openPage(await service.link({ resourceId: "pointer" }));
      await openLog(page);
      await rows(page).nth(4).waitFor();
      const before = await shownUsers(page);
      await rows(page).nth(3).hover();
      await shop.sell("pointer", 12, 10);
      const button = page.getByRole("button", { name: "Show 12 new deliveries" });
      await button.waitFor();
      assert.equal(await shownUsers(page), before);
      await button.click();
      await rows(page).nth(16).waitFor();
      assert.match(await shownUsers(page), new RegExp(`,${before}$`));

      await rows(page).nth(3).hover();
      await shop.sell("pointer", 1, 30);
      await page.getByRole("button", { name: "Show 1 new delivery" }).waitFor();
      await page.mouse.move(0, 0);
      await rows(page).filter({ hasText: "user 30" }).waitFor();
    });

    test("rows stay where they are while one has the focus", async () => {
      await shop.addWebhook("focus");
      await shop.sell("focus", 3);
      await using page = await openPage(await service.link({ resourceId: "focus" }));
      await openLog(page);
      await rows(page).nth(2).waitFor();
      const before = await shownUsers(page);
      await rows(page).nth(1).focus();
      await shop.sell("focus", 2, 10);
      await page.getByRole("button", { name: "Show 2 new deliveries" }).waitFor();
      assert.equal(await shownUsers(page), before);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Purchase" }).waitFor();
      // Coming back reads what was held.
      await page.getByRole("button", { name: "Back" }).click();
      await rows(page).filter({ hasText: "user 11" }).waitFor();
    });

    test("events stay under the pointer, below the focus and where one has scrolled to, until they are asked for", async () => {
      await shop.addWebhook("events");
      await shop.sell("events", 60);
      await using page = await openPage(await service.link({ resourceId: "events" }));
      const events = page.getByRole("list", { name: "Events" }).getByRole("button");
      const shownEvents = async (): Promise<string[]> =>
        (await events.allTextContents()).map(userOf);
      await openLog(page);
      await page.getByRole("link", { name: "Events" }).click();
      await events.nth(49).waitFor();
      const before = await shownEvents();
      await events.nth(2).hover();
      await shop.sell("events", 3, 100);
      const button = page.getByRole("button", { name: "Show 3 new events" });
      await button.waitFor();
      assert.deepEqual(
        await shownEvents(),
        before,
        "also those that new ones have pushed off the end",
      );
      await hasNoViolation(page);
      await button.click();
      await events.filter({ hasText: "user 102" }).waitFor();
      assert.deepEqual((await shownEvents()).slice(3), before.slice(0, 47));

      await events.nth(4).press("Enter");
      await page.mouse.move(0, 0);
      await shop.sell("events", 1, 200);
      await page.getByRole("button", { name: "Show 1 new event" }).waitFor();
      assert.equal((await shownEvents()).includes("200"), false);
      await page.getByRole("button", { name: "Show older events" }).click();
      await events.filter({ hasText: /user 1\D/ }).waitFor();
      await page.getByRole("button", { name: "Show 1 new event" }).press("Enter");
      await events.filter({ hasText: "user 200" }).waitFor();
      await events.and(page.locator(":focus")).waitFor();
    });
  });
}
