import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("older events that are on their way come, although new deliveries have the list read again", async () => {
  const id = await shop.addWebhook("castle", { url: "http://127.0.0.1:9/x" });
  await shop.buy("castle", 60);
  await using page = await openPage(await service.link({ path: "/events" }));
  const events = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  await events.nth(49).waitFor();
  await events.first().getByRole("button").click();
  await page.getByRole("link", { name: "Delivery", exact: true }).waitFor();
  const held = Promise.withResolvers<undefined>();
  await page.route(/\/v1\/events\?.*cursor=/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Show older events" }).click();
  // What became of the open one is read again together with the list.
  const readAgain = page.waitForResponse(/\/v1\/events\/evt_/);
  await service.api("POST", `/webhooks/${id}/ping`);
  await readAgain;
  held.resolve(undefined);
  await page.getByText("user 1", { exact: true }).waitFor();
});
