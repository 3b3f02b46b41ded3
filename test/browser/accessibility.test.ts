import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { hasNoViolationInAnyLight } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { tabTo } from "./tab-to.ts";
import { receiver, service, useSampleOwner } from "./use-service.ts";

useSampleOwner();

function botOfTheServer(page: Page) {
  return page.getByRole("link", { name: "Bot of the small server", exact: true });
}

test("axe finds nothing on any page, light or dark", async () => {
  await using page = await openPage(await service.link(), { colorScheme: "light" });
  const rows = page.getByRole("list", { name: "Deliveries" }).getByRole("link");
  await page
    .getByRole("list", { name: /^Webhooks of/ })
    .first()
    .waitFor();
  await hasNoViolationInAnyLight(page, { where: "webhooks" });
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("http://10.0.0.1/x");
  await page.locator('[aria-invalid="true"]').waitFor();
  await page.getByLabel("Chosen events", { exact: true }).first().check();
  await hasNoViolationInAnyLight(page, { where: "add" });
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows.nth(3).waitFor();
  await hasNoViolationInAnyLight(page, { where: "log" });
  await rows.filter({ hasText: "Pending" }).first().click();
  await page.getByText("Next attempt").waitFor();
  await hasNoViolationInAnyLight(page, { where: "delivery" });
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("list", { name: "Events" }).getByRole("button").first().click();
  await page.getByRole("list", { name: "Events" }).getByText("Delivery").first().waitFor();
  await hasNoViolationInAnyLight(page, { where: "events" });
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await botOfTheServer(page).click();
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping accepted").waitFor();
  await hasNoViolationInAnyLight(page, { where: "ping" });
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Save" }).waitFor();
  await hasNoViolationInAnyLight(page, { where: "settings" });
  await page.getByRole("tab", { name: "Secret" }).click();
  await page.getByRole("button", { name: "Copy secret" }).waitFor();
  await hasNoViolationInAnyLight(page, { where: "secret" });
  for (const [button, title] of [["Pause", "Pause this webhook?"]] as const) {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    await hasNoViolationInAnyLight(page, { where: title });
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  }
  for (const item of [
    "Send all waiting…",
    "Send many again…",
    "Copy to my other resources…",
    "Delete…",
  ]) {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await hasNoViolationInAnyLight(page, { where: item });
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  }
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page.getByRole("link", { name: "Sales in our Discord", exact: true }).click();
  await page.getByRole("tab", { name: "Messages" }).click();
  await page.getByRole("figure").waitFor();
  await page.getByRole("textbox", { name: "Title" }).fill("{nothing}");
  await page.getByText("Something above cannot be saved yet.").waitFor();
  await hasNoViolationInAnyLight(page, { where: "messages" });
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
  await hasNoViolationInAnyLight(page, { where: "settings of a chat" });
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await botOfTheServer(page).click();
  await page.getByRole("tab", { name: "Verify requests" }).click();
  await page.getByLabel("Headers").waitFor();
  await hasNoViolationInAnyLight(page, { where: "verify" });
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByText("Open this page from your resource").waitFor();
  await hasNoViolationInAnyLight(page, { where: "closed" });

  await page.goto(`${service.address}/operator/`);
  await page.getByLabel("API key").fill(service.apiKey);
  await hasNoViolationInAnyLight(page, { where: "key" });
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("Due now").waitFor();
  await hasNoViolationInAnyLight(page, { where: "operator" });
});

test("a webhook is added and pinged with the keyboard alone, and the focus is always seen and kept", async () => {
  await using page = await openPage(await service.link({ resourceId: "ships" }));
  await page.getByRole("link", { name: "Add webhook" }).waitFor();
  await tabTo(page, "Skip to content");
  await page.keyboard.press("Enter");
  await tabTo(page, "Add webhook");
  await page.keyboard.press("Enter");
  await page.getByLabel("URL").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(receiver.url);
  await page.keyboard.press("Enter");
  await page.getByText("Your webhook is ready").waitFor();
  await tabTo(page, "Ping");
  await page.keyboard.press("Enter");
  await page.getByText("Ping accepted with 200").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Ping");

  // A dialog takes the focus, keeps it, and gives it back.
  await tabTo(page, "Pause");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "Cancel");
  await tabTo(page, "Pause");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "Pause");
});
