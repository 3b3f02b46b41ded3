import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

const DELIVERED = 12;
const FAILED = 3;

useService({ MARKETHOOK_RETRY_SCHEDULE: "100ms" });

before(async () => {
  for (const id of ["castle", "quiet"]) {
    await shop.addWebhook(id, { url: `${receiver.url}/${id}`, description: `Bot of the ${id}` });
  }
  await shop.sell("castle", DELIVERED, 100);
  receiver.status = 500;
  await shop.buy("castle", FAILED, 200);
  // Each is tried twice, and then given up.
  await receiver.answered(DELIVERED + 2 * FAILED);
  receiver.status = 200;
  await counted(FAILED);
});

/** Counts are stored every two seconds. */
async function counted(givenUp: number): Promise<void> {
  for (;;) {
    const { total } = await service.api("GET", "/activity");
    if ((total as { givenUp: number }).givenUp === givenUp) return;
    await pause(50);
  }
}

const chart = (page: Page) => page.getByRole("listbox", { name: "Activity, step by step" });
const rows = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("link");

async function openCastle(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Bot of the castle", exact: true }).click();
  await chart(page).waitFor();
}

for (const width of [1200, 360]) {
  test(`rows of the log stay where they are when the chart and the lists of filters come, ${width} wide`, async () => {
    const viewport = { width, height: 800 };
    await using page = await openPage(await service.link(), { viewport });
    await page.getByRole("link", { name: "Deliveries" }).waitFor();
    const late = Promise.withResolvers<void>();
    await page.route(/\/v1\/(?:activity|resources)/, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Deliveries" }).click();
    const firstAt = async (): Promise<number> => (await rows(page).first().boundingBox())?.y ?? 0;
    await rows(page).first().waitFor();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    const before = await firstAt();
    late.resolve();
    await chart(page).waitFor();
    await page.getByRole("option", { name: "All of The castle" }).waitFor({ state: "attached" });
    const after = await firstAt();
    assert.ok(Math.abs(after - before) < 10, `${before} px from the top, then ${after}`);
  });
}

test("a webhook's chart says what was sent in the last day, and the table behind it says the same", async () => {
  await using page = await openPage(await service.link());
  await openCastle(page);
  await page.getByText(/^In all: 12 delivered, 3 tried again, 3 given up; half of/).waitFor();
  await page.getByText("Show as a table").click();
  const table = page.getByRole("region", { name: "Chart as a table" });
  const newest = table.getByRole("row").nth(1).getByRole("cell");
  const older = table.getByRole("row").nth(2).getByRole("cell");
  const cells = [await newest.allTextContents(), await older.allTextContents()];
  const sum = (column: number) => cells.reduce((all, row) => all + Number(row[column]), 0);
  assert.deepEqual([sum(0), sum(1), sum(2)], [DELIVERED, FAILED, FAILED]);
  await hasNoViolation(page);
  await page.getByLabel("Period").selectOption("Last 30 days, by day");
  await page.waitForFunction(() => document.querySelectorAll('[role="option"]').length === 30);
  await page.getByText(/^In all: 12 delivered/).waitFor();
});

test("dragging over the chart narrows the log and the replay, and is taken back", async () => {
  await using page = await openPage(await service.link());
  await openCastle(page);
  await rows(page).nth(5).waitFor();
  const box = await chart(page).boundingBox();
  assert.ok(box !== null);
  // The first hours of the day, in which nothing was sent.
  await page.mouse.move(box.x + 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await page.getByText("Chosen: nothing sent.").waitFor();
  await page.getByText("Nothing matches").waitFor();
  assert.equal(await page.getByLabel("Time", { exact: true }).inputValue(), "range");
  // To the end.
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.getByText("Chosen: 12 delivered, 3 tried again, 3 given up.").waitFor();
  await rows(page).nth(5).waitFor();
  await page.getByRole("button", { name: "Send this time again…" }).click();
  await page.getByText("3 deliveries fit.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Show all times" }).click();
  await page.getByText(/^In all:/).waitFor();
  assert.equal(await page.getByLabel("Time", { exact: true }).inputValue(), "");
});

test("with the keyboard alone steps are read and a range is chosen, over all webhooks", async () => {
  await using page = await openPage(await service.link());
  await page.getByRole("link", { name: "Deliveries" }).click();
  await chart(page).waitFor();
  await rows(page).nth(5).waitFor();
  await page.getByLabel("Period").focus();
  await page.keyboard.press("Tab");
  await chart(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Home");
  await page.getByText(/: nothing sent · Shift/).waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await page.locator('[role="option"][aria-selected="true"]').count(), 3);
  await page.keyboard.press("Enter");
  await page.getByText("Chosen: nothing sent.").waitFor();
  await page.getByText("Nothing matches").waitFor();
  await hasNoViolation(page);
  await page.keyboard.press("Escape");
  await page.getByText(/^In all: 12 delivered/).waitFor();
  await rows(page).nth(5).waitFor();
});

test("where nothing was sent the chart says so", async () => {
  await using page = await openPage(await service.link());
  await page.getByRole("link", { name: "Bot of the quiet", exact: true }).click();
  await page.getByText("In all: nothing sent.").waitFor();
});

test("the chart fits a phone", async () => {
  await using page = await openPage(await service.link(), {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    colorScheme: "dark",
  });
  await openCastle(page);
  await page.getByText(/^In all: 12 delivered/).waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${width} pixels wide`);
  await hasNoViolation(page);
});
