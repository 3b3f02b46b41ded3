import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

let webhook: string;

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h,1h" });

before(async () => {
  webhook = await shop.addWaiting("castle");
});

const openWebhook = async () =>
  await openPage(await service.link({ path: `/webhooks/${webhook}` }));

/** The reader's clock is wrong by so much from now on, and before the page is read again. */
async function setClock(page: Page, byMs: number): Promise<void> {
  await page.clock.install({ time: Date.now() + byMs });
  await page.reload();
}

test("a reader's clock that is ahead makes no delivery overdue", async () => {
  await using page = await openWebhook();
  await setClock(page, 2 * 3_600_000);
  await page.getByRole("link", { name: /Pending.*user 4711/ }).waitFor();
  assert.equal(await page.getByText("waits for its turn").count(), 0);
  await page.getByRole("link", { name: /Pending.*user 4711/ }).click();
  await page.getByText("Next attempt").waitFor();
});

test("with a reader's clock that is behind, what was made just now is sent again too", async () => {
  await service.api("POST", `/webhooks/${webhook}/pause`);
  await service.api("POST", `/webhooks/${webhook}/resume`, { held: "drop" });
  await shop.untilStored("castle", "cancelled", 2);
  await using page = await openWebhook();
  await page.getByRole("link", { name: /Cancelled.*user 4711/ }).waitFor();
  await setClock(page, -3_600_000);
  const dialog = page.getByRole("dialog");
  const choose = async (): Promise<void> => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Send many again…" }).click();
  };
  await choose();
  await dialog.getByLabel("Range").selectOption("All that is kept");
  await dialog.getByLabel("Cancelled").check();
  await dialog.getByText("2 deliveries fit.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  // Nothing is chosen because it was the last time.
  await choose();
  await dialog.getByText("No delivery fits.").waitFor();
  assert.equal(await dialog.getByLabel("Cancelled").isChecked(), false);
});

for (const [name, byMs] of [
  ["ahead", 25 * 3_600_000],
  ["behind", -25 * 3_600_000],
] as const) {
  test(`with a reader's clock that is a day ${name}, the last hour and the last day are the service's`, async () => {
    await using page = await openWebhook();
    await setClock(page, byMs);
    const row = page.getByRole("link", { name: /user 4711/ });
    await row.getByText(/(sec\.|min\.) ago|just now/).waitFor();
    await page.getByText(/^In all: .*[1-9] tried again/).waitFor();
    await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
    await page.waitForURL(/from=/);
    const from = Number(/from=(\d+)/.exec(page.url())?.[1]);
    // By this machine's clock, which is the service's: the page's lags by as long as it took to set it.
    const sinceS = Date.now() / 1000 - from;
    assert.ok(Math.abs(sinceS - 3600) < 600, `since ${sinceS} s ago`);
    await row.waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Send many again…" }).click();
    await page.getByLabel("Cancelled").check();
    await page.getByText("2 deliveries fit.").waitFor();
  });
}

test("the operator's page counts by the service's time too", async () => {
  await using page = await openPage(`${service.address}/operator/`);
  await setClock(page, 25 * 3_600_000);
  await page.getByLabel("API key").fill(service.apiKey);
  await page.getByRole("button", { name: "Open" }).click();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes
    .getByRole("row", { name: /(sec\.|min\.) ago|just now/ })
    .first()
    .waitFor();
  assert.equal(await changes.getByRole("row", { name: /(hr\.|day|days) ago/ }).count(), 0);
});

test("a reader's clock that is corrected while the page is open makes nothing older", async () => {
  await using page = await openWebhook();
  await setClock(page, -25 * 3_600_000);
  const row = page.getByRole("link", { name: /user 4711/ }).first();
  await row.getByText(/(sec\.|min\.) ago|just now/).waitFor();
  await page.clock.setSystemTime(Date.now());
  // Ages are counted again, and the page has read something.
  await page.clock.runFor(20_000);
  await row.getByText(/(sec\.|min\.) ago|just now/).waitFor();
});
