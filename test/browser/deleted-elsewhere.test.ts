import assert from "node:assert/strict";
import { test } from "node:test";
import { holdReads } from "./hold-reads.ts";
import { logRows } from "./open-webhook.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("a webhook that was deleted elsewhere is not shown as active when something is done with it", async () => {
  for (const button of ["Ping", "Save"]) {
    const id = await shop.addWebhook(`gone-${button.toLowerCase()}`);
    const path = `/webhooks/${id}?tab=settings`;
    await using page = await openPage(await service.link({ path }));
    await page.getByLabel("Description").fill("half a sentence");
    const release = await holdReads(page, id);
    await service.api("DELETE", `/webhooks/${id}`);
    await page.getByRole("button", { name: button, exact: true }).click();
    release();
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await page.getByText("It was deleted, or it does not belong to you.").waitFor();
    assert.equal(await page.getByText("Active").count(), 0);
    assert.equal(await page.getByText("Check the id").count(), 0);
  }
});

test("a link to what is not there leads to a page whose heading and tab say so", async () => {
  await using page = await openPage(await service.link());
  await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  for (const [place, name] of [
    ["/webhooks/wh_gone", "There is nothing here"],
    ["/deliveries/dlv_gone", "There is nothing here"],
    ["/nowhere", "There is no such page"],
  ] as const) {
    // The link before may have led to the same words.
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("heading", { name: "Why did nothing arrive?", level: 1 }).waitFor();
    await page.evaluate((to) => (location.hash = to), place);
    const heading = page.getByRole("heading", { name, level: 1 });
    await heading.waitFor();
    await page.waitForFunction((title) => document.title === title, name);
    await page.locator(":focus").and(heading).waitFor();
  }
});

test("a delivery of a deleted webhook cannot be sent again, and does not offer it", async () => {
  const id = await shop.addWebhook("sold");
  await shop.sell("sold", 1);
  const link = await service.link({ resourceId: "sold", path: "/deliveries" });
  await using page = await openPage(link);
  await logRows(page).filter({ hasText: "Delivered" }).click();
  await page.getByRole("button", { name: "Send again" }).waitFor();
  await service.api("DELETE", `/webhooks/${id}`);
  await page.reload();
  await page.getByRole("heading", { name: "Attempts" }).waitFor();
  await page.getByRole("button", { name: "Send again" }).waitFor({ state: "detached" });
});
