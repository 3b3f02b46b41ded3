import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { type AnsweringReceiver, startAnsweringReceiver } from "./answering-receiver.ts";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";

let browser: Browser;
let receiver: AnsweringReceiver;
before(async () => {
  [browser, receiver] = await Promise.all([startBrowser(), startAnsweringReceiver()]);
});
after(() => Promise.all([browser.close(), receiver.close()]));

test("what is done too often for one owner is refused in words, and nothing of it is done", async (t) => {
  const service = await startPortalService({
    MARKETHOOK_OWNER_SENDS: "1",
    MARKETHOOK_OWNER_CHANGES: "1",
  });
  t.after(() => service.stop());
  await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "owner-1" });
  const { id } = await service.api("POST", "/resources/castle/webhooks", { url: receiver.url });
  await service.api("POST", "/resources/castle/events", {
    event: "product.user.purchase",
    user: { id: 7 },
  });
  await receiver.answered(1);
  const openAt = async (path: string) => await openPage(browser, await service.link({ path }));
  const path = `/webhooks/${String(id)}`;
  for (const turn of [1, 2]) {
    await using open = await openAt(path);
    const { page } = open;
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
    await using open = await openAt(path);
    const { page } = open;
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
