import assert from "node:assert/strict";
import { test } from "node:test";
import { comeBack, openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("a secret that is hidden again is not read by coming back to the tab", async () => {
  const id = await shop.addWebhook("secret");
  const link = await service.link({ path: `/webhooks/${id}?tab=secret` });
  await using page = await openPage(link);
  let readings = 0;
  page.on("request", (request) => (readings += request.url().endsWith("/secret") ? 1 : 0));
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page.getByRole("button", { name: "Hide secret" }).click();
  assert.equal(readings, 1);
  await page.clock.install();
  await page.clock.fastForward("02:00");
  const read = page.waitForResponse((response) => /\/webhooks\/wh_\w+$/.test(response.url()));
  await comeBack(page);
  await read;
  assert.equal(readings, 1);
});
