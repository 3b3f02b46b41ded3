import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("where several resources have one server, the log, a delivery and a webhook's page name the resource", async () => {
  for (const id of ["castle", "farm"]) {
    await shop.addWebhook(id);
    await shop.sell(id, 1);
  }
  await using page = await openPage(await service.link({ path: "/deliveries" }));
  await logRows(page)
    .filter({ hasText: /The castle\u2069 · http/ })
    .waitFor();
  await logRows(page)
    .filter({ hasText: /The farm\u2069 · http/ })
    .click();
  // The fact, and the webhook's page that the fact above it leads to.
  await page
    .getByRole("definition")
    .filter({ hasText: /^The farm$/ })
    .waitFor();
  await page.getByRole("definition").getByRole("link", { name: /^http/ }).click();
  await page.getByText("Of The farm").waitFor();
});
