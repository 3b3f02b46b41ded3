import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { openPage } from "./open-page.ts";
import { tabTo } from "./tab-to.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h" });

test("with the keyboard alone a seller finds what failed, has all of it sent, and sends a sample and a range", async () => {
  await shop.addWebhook("castle", { description: "Bot" });
  receiver.status = 500;
  receiver.text = "database is locked";
  await shop.buy("castle", 2);
  await shop.untilStored("castle", "pending", 2);
  receiver.status = 200;
  await using page = await openPage(await service.link());
  const press = async (name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press("Enter");
  };
  await page.getByText("Failing").waitFor();
  await press("Bot");

  // What failed, by its cause.
  await page.getByRole("list", { name: "Causes" }).waitFor();
  await press("Open the newest");
  await page.getByRole("heading", { name: "Delivery", exact: true }).first().waitFor();
  await page.goBack();

  // All that waits.
  await page.getByRole("list", { name: "Causes" }).waitFor();
  await press("Ping");
  await page.getByText("Your server replies again. Send the 2 that wait?").waitFor();
  await press("Send 2 now");
  await page.getByText("All of it was sent").waitFor();
  await receiver.answered(5);
  await page.reload();
  await page.getByText("Active", { exact: true }).waitFor();

  // A sample.
  await press("Sample…");
  await page.getByRole("dialog").getByText("X-Market-Sample: 1").waitFor();
  await press("Send sample");
  await page.getByText("Your server accepted it with 200").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // A range, out of a menu.
  await press("More");
  await arrowTo(page.getByRole("menuitem", { name: "Send many again…" }));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.getByText("No delivery fits.").waitFor();
  await tabTo(page, "Delivered");
  await page.keyboard.press("Space");
  await page.getByText("2 deliveries fit.").waitFor();
  await press("Send 2 again");
  await page.getByText("2 sent.").waitFor();
});

/** Presses the arrow until the item has the focus: a menu that is just opening takes no key yet. */
async function arrowTo(item: Locator): Promise<void> {
  await item.waitFor();
  for (let steps = 0; steps < 40; steps += 1) {
    await item.page().keyboard.press("ArrowDown");
    const isFocused = await item.evaluate((element) => element === document.activeElement);
    if (isFocused) return;
  }
  assert.fail(`${item.toString()} is not reached by the arrow`);
}
