import assert from "node:assert/strict";
import { test } from "node:test";
import { hasNoViolation } from "./has-no-violation.ts";
import { noteCopies, pressCopy } from "./note-copies.ts";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

const WIDE = { viewport: { width: 1500, height: 900 } };

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h" });

test("a row says who bought for how much, or which version, what came of it, and when it goes next", async () => {
  await shop.addWebhook("rows");
  const version = { time: 1_760_000_000, size: "1", fileType: "zip", branch: "release" };
  await service.api("POST", "/resources/rows/events", {
    event: "product.update",
    update: { ...version, id: "u1", version: "1.4.2", title: "T", description: "D" },
    previous: { ...version, id: "u0", version: "1.4.1" },
  });
  // First, because a success brings earlier failures forward.
  await shop.untilStored("rows", "delivered", 1);
  receiver.status = 503;
  const answered = receiver.answered(receiver.requests.length + 1);
  await service.api("POST", "/resources/rows/events", {
    event: "product.user.purchase",
    user: { id: 7 },
    details: { buyerName: "<b>Jo</b>", amount: "4.99", currency: "EUR", orderId: "1" },
  });
  await answered;
  receiver.status = 200;
  await using page = await openPage(await service.link({ resourceId: "rows" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await logRows(page)
    .filter({ hasText: /Pendingnext in \d+ min.*user 7 · <b>Jo<\/b> · 4\.99 EUR.*503 Unavailable/ })
    .waitFor();
  await logRows(page)
    .filter({ hasText: /Delivered.*Update posted · 1\.4\.2/ })
    .waitFor();
  await page.getByText("2 deliveries").waitFor();
  await page.getByText("goes to the next that failed").waitFor();
  await hasNoViolation(page);
});

test("on a wide screen a delivery opens next to the log, and follows the keys", async () => {
  const id = await shop.addWebhook("both");
  await shop.sell("both", 3);
  await using page = await openPage(await service.link({ path: `/webhooks/${id}` }), WIDE);
  const pane = page.getByRole("region", { name: "Delivery", exact: true });
  await logRows(page)
    .filter({ hasText: /user 3/ })
    .click();
  await pane.getByText("User id").waitFor();
  const current = page.locator('ul[aria-label="Deliveries"] a[aria-current]');
  assert.match((await current.textContent()) ?? "", /user 3/);
  await hasNoViolation(page);
  await page.keyboard.press("j");
  const about = (user: number) => pane.locator("dl").filter({ hasText: `User id${user}` });
  await about(2).waitFor();
  assert.equal(await logRows(page).count(), 3);
  // The address says it: a reload shows the same.
  await page.reload();
  await about(2).waitFor();
  const opened = page.url();
  await pane.getByRole("button", { name: "Send again" }).click();
  // The new one takes the place of the one that was sent again.
  await page.waitForURL((url) => url.href !== opened);
  await pane.getByRole("heading", { name: "Attempts" }).waitFor();
  await logRows(page).nth(3).waitFor();
  await pane.getByRole("link", { name: "Whole page" }).click();
  await page.getByRole("heading", { level: 1, name: "Purchase" }).waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  await pane.getByRole("button", { name: "Close" }).click();
  await pane.waitFor({ state: "detached" });
  assert.equal(await logRows(page).count(), 4);
  const focused = async () => await page.evaluate(() => document.activeElement?.textContent ?? "");
  assert.match(await focused(), /user 2/);
  // Back closes it, and leads out of the log only after that; so does Escape.
  await page.keyboard.press("Enter");
  await about(2).waitFor();
  await page.keyboard.press("j");
  await about(3).waitFor();
  await page.goBack();
  await pane.waitFor({ state: "detached" });
  await logRows(page).first().focus();
  await page.keyboard.press("Enter");
  await pane.waitFor();
  await page.keyboard.press("Escape");
  await pane.waitFor({ state: "detached" });
  assert.match(await focused(), /user/);
});

test("Back leads to the same rows of a log that was opened by the marketplace's link", async () => {
  await shop.addWebhook("place");
  await shop.sell("place", 80);
  const link = await service.link({ resourceId: "place", path: "/deliveries" });
  await using page = await openPage(link);
  await logRows(page).nth(10).waitFor();
  await page.mouse.wheel(0, 1500);
  await page.waitForFunction(() => globalThis.scrollY > 1000);
  await logRows(page).filter({ hasText: "user 45" }).click();
  await page.getByText("User id").waitFor();
  await page.goBack();
  await logRows(page).first().waitFor();
  await page.waitForFunction(() => globalThis.scrollY > 1000);
});

test("the head of the log stays in sight while its rows are scrolled", async () => {
  await shop.addWebhook("head");
  await shop.sell("head", 60);
  await using page = await openPage(await service.link({ resourceId: "head" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await logRows(page).nth(10).waitFor();
  await page.mouse.wheel(0, 1500);
  await page.waitForFunction(() => globalThis.scrollY > 1000);
  await page.waitForFunction(() => {
    const heads = [...document.querySelectorAll("main span")];
    const head = heads.find((one) => one.textContent === "Created");
    const top = head?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < 60;
  });
});

test("a link to a delivery and its request as a command are copied, with the whole address and the signature that was sent", async () => {
  await shop.addWebhook("copied");
  await shop.sell("copied", 1);
  await using page = await openPage(await service.link({ resourceId: "copied" }));
  const copied = await noteCopies(page);
  await page.getByRole("link", { name: "Deliveries" }).click();
  await logRows(page).first().click();
  await pressCopy(page, "Copy link: link to this delivery", "Copied: link to this delivery");
  assert.equal(await copied(), page.url());
  await page.getByRole("button", { name: "Copy as curl: request as curl" }).click();
  await page.getByText("The signature is the one that was sent").waitFor();
  const sent = receiver.requests.at(-1);
  const command = await copied();
  assert.ok(command.startsWith(`curl -g -sS -i -X POST '${receiver.url}'`), command);
  assert.ok(
    command.includes(`-H 'X-Market-Signature: ${String(sent?.headers["x-market-signature"])}'`),
  );
  assert.ok(command.endsWith(`--data-raw '${sent?.body}'`));
  await hasNoViolation(page);
});
