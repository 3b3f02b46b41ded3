import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

const ASSETS = "**/assets/**";

useService();

before(() => shop.addWebhook("castle"));

/** As an upgrade in place does, whose files have other names. */
async function removeFiles(page: Page): Promise<void> {
  await page.route(ASSETS, async (route) => await route.fulfill({ status: 404 }));
}

const PARTS = ["webhook-page", "webhook-dialogs", "add-page", "event-body", "events-page"];

/** Resolves when the code of all parts, and what it needs, has come. */
async function allFetched(page: Page): Promise<void> {
  const [open, come] = [new Set<string>(), new Set<string>()];
  page.on("request", (request) => {
    if (request.url().includes("/assets/")) open.add(request.url());
  });
  await page.waitForEvent("requestfinished", (request) => {
    open.delete(request.url());
    come.add(/\/assets\/([\w-]+)-[\w-]{8}\.js$/.exec(request.url())?.[1] ?? "");
    return open.size === 0 && PARTS.every((name) => come.has(name));
  });
}

test("a page that is open during an upgrade has all its parts, wherever it was entered", async () => {
  await using page = await openPage("about:blank");
  const fetched = allFetched(page);
  await page.goto(await service.link({ path: "/deliveries" }));
  await fetched;
  await removeFiles(page);
  const tab = page.getByRole("navigation");
  await tab.getByRole("link", { name: "Events" }).click();
  await page.getByText("Why did nothing arrive?").waitFor();
  await tab.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByRole("textbox", { name: "URL" }).waitFor();
});

test("a part whose code is gone says so, and Try again shows the new page", async () => {
  await using page = await openPage("about:blank", { mayFail: true });
  await page.route(/assets\/webhook-dialogs-/, async (route) => await route.abort());
  await page.goto(await service.link());
  await page.getByRole("button", { name: /^Delete/ }).click();
  await page.getByText("it was upgraded while this page was open").waitFor();
  await page.unroute(/assets\/webhook-dialogs-/);
  const newPage = page.waitForEvent("load");
  await page.getByRole("button", { name: "Try again" }).click();
  await newPage;
  await page.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("dialog").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});
