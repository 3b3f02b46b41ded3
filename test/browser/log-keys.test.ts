import assert from "node:assert/strict";
import { test } from "node:test";
import { hasNoViolation } from "./has-no-violation.ts";
import { logRows } from "./open-webhook.ts";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

test("the log is one stop of the Tab key; arrow keys, Home and End move in it, as far as it goes", async () => {
  await shop.addWebhook("keys");
  await shop.sell("keys", 250);
  await using page = await openPage(await service.link({ resourceId: "keys" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await logRows(page).nth(10).waitFor();
  const stops = page.locator('ul[aria-label="Deliveries"] a[tabindex="0"]');
  const focused = async (): Promise<string> =>
    await page.evaluate(
      () => /user (\d+)/.exec(document.activeElement?.textContent ?? "")?.[1] ?? "",
    );
  const isFocused = async (user: string): Promise<void> => {
    await page.waitForFunction(
      (id) => /user (\d+)/.exec(document.activeElement?.textContent ?? "")?.[1] === id,
      user,
    );
  };
  assert.equal(await stops.count(), 1);
  await page.getByLabel("Time").focus();
  await page.keyboard.press("Tab");
  await isFocused("250");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await isFocused("248");
  assert.equal(await stops.count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await page.locator('ul[aria-label="Deliveries"] :focus').count(), 0);
  await page.keyboard.press("Shift+Tab");
  await isFocused("248");
  await page.keyboard.press("ArrowUp");
  await isFocused("249");
  // To the end of what was read, which reads on; until there is no more.
  for (let pages = 0; pages < 6 && (await focused()) !== "1"; pages += 1) {
    const before = await focused();
    await page.keyboard.press("End");
    await page.waitForFunction(
      (id) => /user (\d+)/.exec(document.activeElement?.textContent ?? "")?.[1] !== id,
      before,
    );
    // A row below it, or the end.
    await page.waitForFunction(() => {
      const row = document.activeElement?.parentElement;
      const below = Number(row?.getAttribute("aria-posinset")) + 1;
      return (
        document.querySelector(`[aria-posinset="${below}"]`) !== null ||
        document.body.textContent.includes("That is all that is kept.")
      );
    });
  }
  await isFocused("1");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  await isFocused("250");
  await hasNoViolation(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Attempts" }).waitFor();
});

test("in the log j and k move as the arrows do, and n goes from one failed delivery to the next", async () => {
  await shop.addWebhook("letters");
  receiver.status = 410;
  try {
    await shop.sell("letters", 1);
  } finally {
    receiver.status = 200;
  }
  await using page = await openPage(await service.link({ resourceId: "letters" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByText("410 Gone", { exact: true }).waitFor();
  // The first webhook is disabled by now; what another accepts stands above its failure.
  await shop.addWebhook("letters");
  await shop.sell("letters", 3);
  await page.reload();
  await logRows(page).nth(3).waitFor();
  await page.getByLabel("Time").focus();
  await page.keyboard.press("Tab");
  const isAt = async (place: number): Promise<void> => {
    await page.waitForFunction(
      (wanted) => document.activeElement?.parentElement?.getAttribute("aria-posinset") === wanted,
      String(place),
    );
  };
  await isAt(1);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await isAt(3);
  await page.keyboard.press("k");
  await isAt(2);
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("410") === true);
  const place = await page.evaluate(
    () => document.activeElement?.parentElement?.getAttribute("aria-posinset") ?? "",
  );
  // None follows: the focus stays.
  await page.keyboard.press("n");
  await isAt(Number(place));
  await hasNoViolation(page);
});
