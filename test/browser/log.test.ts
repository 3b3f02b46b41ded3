import assert from "node:assert/strict";
import { test } from "node:test";
import { shownUrl } from "@markethook/protocol";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { openWebhook } from "./open-webhook.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

// One retry, soon, so that what fails has failed.
useService({ MARKETHOOK_RETRY_SCHEDULE: "100ms" });

async function report(resourceId: string, event: string, userId: number): Promise<string> {
  const answer = await service.api("POST", `/resources/${resourceId}/events`, {
    event,
    user: { id: userId },
  });
  return String(answer["eventId"]);
}

const rows = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("link");

const announced = (page: Page, words: string) =>
  page.locator("[aria-live=polite]", { hasText: words });

/** What is reported from now on comes by the stream. The list of webhooks says "Nothing sent yet" too. */
async function emptyAndLive(page: Page): Promise<void> {
  await page.getByText("it appears here by itself").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
}

/** Waits until the log has these rows and no others. */
async function showsUsers(page: Page, ids: readonly number[]): Promise<void> {
  await page.waitForFunction((expected) => {
    const shown = [...document.querySelectorAll('ul[aria-label="Deliveries"] a')];
    const users = shown.map((row) => /user (\d+)/.exec(row.textContent)?.[1]).join();
    return users === expected;
  }, ids.join());
}

test("a delivery appears in the log by itself, is announced, and shows its new state", async () => {
  await shop.addWebhook("live");
  await using page = await openPage(await service.link({ resourceId: "live" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await emptyAndLive(page);
  // An announcement stands for a moment only.
  await Promise.all([
    announced(page, "1 new delivery").waitFor({ state: "attached" }),
    shop.buy("live", 1, 41),
  ]);
  await rows(page)
    .filter({ hasText: /Delivered.*user 41/s })
    .waitFor();
});

test("an arrival is announced also when the log is narrowed meanwhile, and a burst before it ends", async () => {
  await shop.addWebhook("burst");
  await using page = await openPage(await service.link({ resourceId: "burst" }));
  await page.getByRole("link", { name: "Deliveries" }).waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await emptyAndLive(page);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  await shop.buy("burst", 1, 61);
  await rows(page).filter({ hasText: "user 61" }).waitFor();
  await page.clock.runFor(1500);
  await shop.buy("burst", 1, 62);
  await rows(page).filter({ hasText: "user 62" }).waitFor();
  await page.getByLabel("Event", { exact: true }).selectOption("Purchase");
  await page.waitForURL(/event=/);
  // The pause may begin only now: a row is seen a moment before the page has set its timer.
  await page.clock.runFor(2000);
  await announced(page, "2 new deliveries").waitFor({ state: "attached" });
});

test("what happened while another page was open is in the log on coming back", async () => {
  await shop.addWebhook("away");
  await using page = await openPage(await service.link({ resourceId: "away" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await emptyAndLive(page);
  await page.getByRole("link", { name: "Webhooks" }).click();
  await shop.buy("away", 1, 51);
  // What the stream tells refreshes this list a moment later.
  await page.getByText(/^200 · /).waitFor();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await showsUsers(page, [51]);
});

test("the log is narrowed by event, state, status, user and time, and going back restores it", async () => {
  await shop.addWebhook("narrow");
  await shop.sell("narrow", 3, 100);
  receiver.status = 503;
  const refunded = await report("narrow", "product.user.purchaseRemoved", 101);
  await using page = await openPage(await service.link({ resourceId: "narrow" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page).filter({ hasText: "Failed" }).waitFor();
  receiver.status = 200;
  await showsUsers(page, [101, 102, 101, 100]);

  const events = page.getByLabel("Event", { exact: true });
  const search = page.getByLabel("Search deliveries");
  await events.selectOption("Purchase");
  await showsUsers(page, [102, 101, 100]);
  await events.selectOption("All events");
  await page.getByLabel("State").selectOption("Failed");
  await showsUsers(page, [101]);
  await page.getByLabel("State").selectOption("All states");
  await showsUsers(page, [101, 102, 101, 100]);
  await page.getByLabel("HTTP status").fill("503");
  await showsUsers(page, [101]);
  await page.getByLabel("HTTP status").fill("");
  await search.fill("101");
  await search.press("Enter");
  await showsUsers(page, [101, 101]);
  await search.fill(refunded);
  await search.press("Enter");
  await showsUsers(page, [101]);

  await rows(page).click();
  await page.getByRole("heading", { name: "Purchase removed" }).waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  await showsUsers(page, [101]);
  await search.fill("");
  await page.getByLabel("Time").selectOption("Last hour");
  await showsUsers(page, [101, 102, 101, 100]);
  await events.selectOption("Ping");
  await page.getByText("Nothing matches").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await showsUsers(page, [101, 102, 101, 100]);
});

test("a narrowed log says on paper what it shows, and stays narrowed while another tab is open", async () => {
  await shop.addWebhook("kept");
  await shop.sell("kept", 2, 300);
  await using page = await openPage(await service.link({ resourceId: "kept" }));
  await openWebhook(page);
  await rows(page).nth(1).waitFor();
  await page.getByLabel("Search deliveries").fill("300");
  await page.getByLabel("Search deliveries").press("Enter");
  await rows(page).nth(1).waitFor({ state: "detached" });
  await rows(page).filter({ hasText: "user 300" }).waitFor();
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.getByLabel("Search deliveries").isVisible());
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Search deliveries").waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Deliveries" }).click();
  await rows(page).filter({ hasText: "user 300" }).waitFor();
  assert.equal(await rows(page).count(), 1);
  assert.equal(await page.getByLabel("Search deliveries").inputValue(), "300");
});

test("a long log is scrolled to its end with few rows on the page", async () => {
  await shop.addWebhook("long");
  await shop.sell("long", 450, 1000);
  await using page = await openPage(await service.link({ resourceId: "long" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page).first().waitFor();
  const first = rows(page).filter({ hasText: "user 1000" });
  // As often as it takes: while a page of the log is on its way there is nothing to scroll to.
  while ((await first.count()) === 0) {
    await page.mouse.wheel(0, 4000);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.getByText("Loading more…").waitFor({ state: "detached" });
  }
  await first.waitFor();
  assert.ok((await rows(page).count()) < 80);

  // On paper there are all that were read, from the first one on, and nothing to press.
  await page.evaluate(() => {
    globalThis.addEventListener("beforeprint", () => {
      const printed = document.querySelectorAll('ul[aria-label="Deliveries"] a');
      document.body.dataset["printed"] = String(printed.length);
    });
  });
  await page.pdf();
  assert.equal(await page.evaluate(() => document.body.dataset["printed"]), "450");
  await rows(page).nth(79).waitFor({ state: "detached" });

  // What arrives now does not move what is being read.
  await page.getByText("That is all that is kept.").waitFor();
  const top = await first.evaluate((row) => row.getBoundingClientRect().top);
  await shop.buy("long", 1, 9999);
  await page.getByRole("button", { name: "Show 1 new delivery" }).waitFor();
  assert.equal(await first.evaluate((row) => row.getBoundingClientRect().top), top);
  await page.getByRole("button", { name: "Show 1 new delivery" }).click();
  await rows(page).filter({ hasText: "user 9999" }).waitFor();

  await page.emulateMedia({ media: "print" });
  const [shown, listed] = await Promise.all([
    rows(page).count(),
    page.getByRole("list", { name: "Deliveries" }).evaluate(({ clientHeight }) => clientHeight),
  ]);
  assert.ok(listed < shown * 48, "no room is kept for rows that are not there");
  assert.equal(await page.getByLabel("Search deliveries").isVisible(), false);
});

test("a failed delivery shows each attempt with request and answer, and is sent again", async () => {
  await shop.addWebhook("failed");
  receiver.status = 500;
  receiver.text = "database is locked";
  await shop.buy("failed", 1, 7);
  await using page = await openPage(await service.link({ resourceId: "failed" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page)
    .filter({ hasText: /Failed/ })
    .click();
  await page.getByText("It is not tried again by itself").waitFor();
  // Above what is known of it, too: why it failed is not to be looked for.
  assert.equal(await page.getByText("database is locked").count(), 2);
  const sent = receiver.requests.at(-1);
  await page.getByText("Exact", { exact: true }).click();
  assert.equal(await page.getByRole("region", { name: "request body" }).textContent(), sent?.body);
  receiver.status = 200;
  receiver.text = "ok";
  const first = await page.title();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Sent again, as a delivery of its own.").waitFor();
  await page.getByRole("main").getByText("Delivered").waitFor();
  assert.equal(receiver.requests.at(-1)?.headers["webhook-id"], sent?.headers["webhook-id"]);

  // The way back is told: by the page's name, and to a screen reader by the heading's focus.
  assert.match(await page.title(), /^Purchase · dlv_/);
  assert.notEqual(await page.title(), first);
  await page.locator("h1:focus").waitFor();
  await page.mouse.click(5, 5);
  await page.goBack();
  await page.getByRole("main").getByText("Failed", { exact: true }).first().waitFor();
  await page.locator("h1:focus").waitFor();
  assert.equal(await page.title(), first);
  // Nobody who comes back later sends it a third time.
  await page.getByText("It has been sent again since").waitFor();
  await page.getByText("It is not tried again by itself").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Show it" }).click();
  await page.getByRole("main").getByText("Delivered").waitFor();
});

test("sending a purchase again after its refund warns and asks", async () => {
  await shop.addWebhook("refund");
  const before = receiver.requests.length;
  await shop.buy("refund", 1, 8);
  await report("refund", "product.user.purchaseRemoved", 8);
  await shop.untilStored("refund", "delivered", 2);
  await using page = await openPage(await service.link({ resourceId: "refund" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page)
    .filter({ hasText: /Delivered.*Purchase user/s })
    .click();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog").getByText("A later event about the same buyer").waitFor();
  assert.equal(receiver.requests.length, before + 2);
  await page.getByRole("button", { name: "Send it again anyway" }).click();
  await page.getByText("Sent again, as a delivery of its own.").waitFor();
  await receiver.answered(before + 3);
});

test("a range is counted first, then sent again with progress", async () => {
  await shop.addWebhook("outage");
  receiver.status = 500;
  await shop.sell("outage", 30, 200);
  // Each is tried twice.
  await shop.untilStored("outage", "dead", 30);
  await using page = await openPage(await service.link({ resourceId: "outage" }));
  await page
    .getByRole("list", { name: /^Webhooks of/ })
    .getByRole("link")
    .first()
    .click();
  await rows(page).nth(5).filter({ hasText: "Failed" }).waitFor();
  receiver.status = 200;
  const before = receiver.requests.length;
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Send many again…" }).click();
  await page.getByText("30 deliveries fit.").waitFor();
  assert.equal(receiver.requests.length, before);
  await page.getByRole("button", { name: "Send 30 again" }).click();
  await page.getByText("30 sent.").waitFor();
  await receiver.answered(before + 30);
  // Nothing invites to send them twice.
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText(/deliveries were given up/).waitFor({ state: "detached" });
  await page.getByText("Failures by cause").waitFor({ state: "detached" });
});

test("each event says per webhook why it arrived or did not", async () => {
  await shop.addWebhook("why", { description: "all" });
  await shop.addWebhook("why", {
    url: `${receiver.url}/few`,
    events: ["product.user.firstDownload"],
  });
  const paused = await shop.addWebhook("why", { url: `${receiver.url}/paused` });
  await service.api("POST", `/webhooks/${paused}/pause`);
  const before = receiver.requests.length;
  await shop.buy("why", 1, 55);
  await receiver.answered(before + 1);
  await shop.addWebhook("why", { url: `${receiver.url}/later` });
  await using page = await openPage(await service.link({ resourceId: "why" }));
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("textbox", { name: "User id" }).fill("55");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("button", { name: /Purchase user 55/ }).click();
  const lines = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  for (const verdict of ["Sent", "Not chosen", "Paused", "Added later"]) {
    await lines
      .getByRole("listitem")
      .filter({ hasText: verdict })
      .filter({ hasText: shownUrl(receiver.url) })
      .waitFor();
  }
});
