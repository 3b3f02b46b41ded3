import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";
import { receiver, useBrowser } from "./use-service.ts";

useBrowser();

test("what is done too often for one owner is refused in words, and nothing of it is done", async (t) => {
  const service = await startPortalService({
    MARKETHOOK_OWNER_SENDS: "1",
    MARKETHOOK_OWNER_CHANGES: "1",
  });
  t.after(() => service.stop());
  const shop = openShop(service, receiver);
  const path = `/webhooks/${await shop.addWebhook("castle")}`;
  await shop.sell("castle", 1, 7);
  const openAt = async (at: string) => await openPage(await service.link({ path: at }));
  for (const turn of [1, 2]) {
    await using page = await openAt(path);
    await page
      .getByRole("link", { name: /Delivered.*user 7/s })
      .last()
      .click();
    await page.getByRole("button", { name: "Send again" }).click();
    if (turn === 1) {
      await receiver.answered(2);
      continue;
    }
    await page.getByText("This was done too often.").waitFor();
    await page.getByText("Wait a minute, and try again.").waitFor();
    assert.equal(receiver.requests.length, 2);
  }
  for (const turn of [1, 2]) {
    await using page = await openAt(path);
    await page.getByRole("tab", { name: "Secret" }).click();
    await page
      .getByRole("button", { name: /^Reveal/ })
      .first()
      .click();
    if (turn === 1) {
      await page.getByRole("button", { name: /^Hide/ }).first().waitFor();
      continue;
    }
    await page.getByText("This was done too often.").waitFor();
  }
});
