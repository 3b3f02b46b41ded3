import assert from "node:assert/strict";
import { test } from "node:test";
import { comeBack, openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

test("the reply to a ping is shown also to who looks at another part before it comes", async () => {
  const id = await shop.addWebhook("pinged");
  const link = await service.link({ path: `/webhooks/${id}?tab=settings` });
  await using page = await openPage(link);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  receiver.gate = promise;
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Waiting for your server.").waitFor();
  await page.getByRole("tab", { name: "Deliveries" }).click();
  resolve(undefined);
  receiver.gate = null;
  await page.getByRole("heading", { name: "Ping accepted with 200" }).waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Ping accepted" }).waitFor({ state: "detached" });
});

test("a log that is narrowed to a deleted webhook does not say that it shows all", async () => {
  const id = await shop.addWebhook("deleted");
  await shop.sell("deleted", 1);
  await service.api("DELETE", `/webhooks/${id}`);
  const link = await service.link({ path: `/deliveries?webhookId=${id}` });
  await using open = await openPage(link);
  const place = open.getByLabel("Resource or webhook");
  // Which webhooks there are may come later than the resources, and until then the field names none.
  await place.locator("option:checked", { hasText: id }).waitFor({ state: "attached" });
  await place.selectOption("All webhooks");
  await place.locator("option", { hasText: id }).waitFor({ state: "detached" });
});

test("what became of an event stays on the page where it cannot be read again", async () => {
  await shop.addWebhook("explained");
  await shop.sell("explained", 1);
  await shop.untilStored("explained", "delivered", 1);
  const link = await service.link({ resourceId: "explained", path: "/events" });
  await using page = await openPage(link);
  await page.getByRole("button", { name: /^Purchase/ }).click();
  const verdict = page.getByRole("listitem").getByText("Sent", { exact: true });
  await verdict.waitFor();
  let refused = 0;
  await page.route(/\/v1\/events\/evt_\w+\//, async (route) => {
    refused += 1;
    await route.abort();
  });
  await page.clock.install();
  await page.clock.fastForward("00:20");
  await comeBack(page);
  // It tries three times.
  while (refused < 3) await page.clock.fastForward("00:05");
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await verdict.waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});
