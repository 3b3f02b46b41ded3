import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { openWebhook } from "./open-webhook.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

/** Both clicks of a double one, the second as soon as what the first led to is there. */
async function doubleClick(button: Locator, next: Locator): Promise<void> {
  const box = await button.boundingBox();
  assert.ok(box !== null);
  const { mouse } = button.page();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await mouse.down({ clickCount: 1 });
  await mouse.up({ clickCount: 1 });
  await next.waitFor();
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}

test("a double click on the button that sends many again does not stop the sending at once", async () => {
  await shop.addWebhook("castle");
  await shop.sell("castle", 2);
  await shop.untilStored("castle", "delivered", 2);
  await using page = await openPage(await service.link());
  await openWebhook(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Send many again…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Delivered" }).check();
  const send = dialog.getByRole("button", { name: "Send 2 again" });
  await send.waitFor();
  // Of the sending, until both clicks are over.
  const answer = Promise.withResolvers<void>();
  await page.route(/\/replay$/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await doubleClick(send, dialog.getByRole("button", { name: "Stop" }));
  answer.resolve();
  await dialog.getByText("2 sent.").waitFor();
});
