import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h" });

test("a failing webhook whose last ping was answered 410 is not said to be disabled", async () => {
  const id = await shop.addWebhook("castle");
  receiver.status = 500;
  await shop.sell("castle", 1);
  await using page = await openPage(
    await service.link({ resourceId: "castle", path: `/webhooks/${id}` }),
  );
  await page.getByText("Last time: your server replied with an error (500).").waitFor();
  receiver.status = 410;
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Last time: your server replied 410 Gone (410).").waitFor();
  await page.getByText("A ping disables nothing.").nth(1).waitFor();
  assert.equal(await page.getByText("That disabled the webhook.").count(), 0);
  assert.equal((await service.api("GET", `/webhooks/${id}`))["state"], "active");
});
