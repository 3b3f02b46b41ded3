import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

before(() => shop.addWebhook("castle"));

const chart = (page: Page) => page.getByRole("listbox", { name: "Activity, step by step" });

// Berlin's clocks go forward on 28 March; India's are half an hour beside the hours by which the service counts.
for (const timezoneId of ["Europe/Berlin", "Asia/Kolkata", "America/St_Johns"]) {
  test(`each of the last 30 days stands once in the chart, and today last, in ${timezoneId}`, async () => {
    await using page = await openPage(await service.link(), { timezoneId });
    await page.getByRole("link", { name: "Deliveries" }).waitFor();
    // The page counts by the time of the service, which must tell the same. Earlier answers can arrive at any moment.
    await page.evaluate(() => {
      const { get } = Headers.prototype;
      Headers.prototype.get = function (name) {
        return name === "date" ? new Date().toUTCString() : get.call(this, name);
      };
    });
    await page.clock.setFixedTime("2027-04-10T12:00:00Z");
    await page.getByRole("link", { name: "Deliveries" }).click();
    await chart(page).waitFor();
    await page.getByLabel("Period").selectOption("Last 30 days, by day");
    await page.waitForFunction(() => document.querySelectorAll('[role="option"]').length >= 30);
    const labels = await chart(page).getByRole("option").all();
    const days = await Promise.all(
      labels.map(async (one) => (await one.getAttribute("aria-label"))?.split(":")[0]),
    );
    const first = Date.UTC(2027, 2, 12);
    const name = new Intl.DateTimeFormat("en-US", {
      day: "numeric",
      month: "short",
      timeZone: "UTC",
    });
    const expected = Array.from({ length: 30 }, (_, index) =>
      name.format(first + index * 86_400_000),
    );
    assert.deepEqual(days, expected);
  });
}

test("what was chosen in the chart is no longer marked once all times are shown", async () => {
  await using page = await openPage(await service.link({ path: "/deliveries" }));
  await chart(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Enter");
  const marked = chart(page).getByRole("option", { selected: true });
  await page.getByText("Chosen: nothing sent.").waitFor();
  assert.equal(await marked.count(), 2);
  await page.getByRole("button", { name: "Show all times" }).click();
  await page.getByText("In all: nothing sent.").waitFor();
  await marked.first().waitFor({ state: "detached" });
});
