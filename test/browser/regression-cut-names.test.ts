import { before, test } from "node:test";
import type { Locator } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

/** From right to left, and longer than any place for it. */
const NAME = "مرحبا بالعالم متجر الموارد ".repeat(7).trim();

let webhookId: string;

useService();

before(async () => {
  await service.api("PUT", "/resources/castle", { title: NAME, ownerId: "owner-1" });
  const made = await service.api("POST", "/resources/castle/webhooks", {
    url: "http://127.0.0.1:9/hooks",
    description: NAME,
  });
  webhookId = String(made["id"]);
  await service.api("POST", `/webhooks/${webhookId}/pause`);
  const event = { event: "product.user.purchase", user: { id: 1 } };
  await service.api("POST", "/resources/castle/events", event);
});

/** Waits until the first word of the name is within everything that cuts it. */
async function untilBegun(name: Locator): Promise<void> {
  await name.waitFor();
  await name.page().waitForFunction(
    (element) => {
      const text = element && document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (text === null) return false;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 4);
      const { left, right } = range.getBoundingClientRect();
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const box = at.getBoundingClientRect();
        const cuts = getComputedStyle(at).overflowX !== "visible";
        if (cuts && (left < box.left - 1 || right > box.right + 1)) return false;
      }
      return true;
    },
    await name.elementHandle(),
  );
}

test("of a long name that runs from right to left the beginning is seen, wherever the name is cut", async () => {
  await using page = await openPage(await service.link());
  await untilBegun(page.getByRole("list").getByRole("link").first().locator("bdi"));
  await page.getByRole("link", { name: "Deliveries", exact: true }).click();
  const rows = page.getByRole("list", { name: "Deliveries" });
  await untilBegun(rows.getByRole("link").locator("[title] bdi"));
  await page.evaluate((id) => {
    location.hash = `#/webhooks/${id}`;
  }, webhookId);
  await untilBegun(page.locator("header").getByText("Of ").locator("bdi"));
});

test("on a phone an event names its resource", async () => {
  const link = await service.link({ path: "/events" });
  await using page = await openPage(link, { viewport: { width: 375, height: 700 } });
  const row = page.getByRole("list", { name: "Events" }).getByRole("button");
  await row.getByText(NAME).waitFor();
  await untilBegun(row.locator("bdi"));
});
