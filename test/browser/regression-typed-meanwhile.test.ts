import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { hearPage } from "./hear-page.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_CHAT_ORIGINS: "discord=http://127.0.0.1:9" });

/** As with a name that is looked up slowly. */
async function holdSave(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/v1\/webhooks\/wh_\w+$/, async (route) => {
    if (route.request().method() === "PATCH") await promise;
    await route.continue();
  });
  return resolve;
}

test("what is typed while a save is under way stays, and is saved by the next one", async () => {
  const id = await shop.addWebhook("castle", { url: "http://127.0.0.1:9/typed" });
  const link = await service.link({ path: `/webhooks/${id}?tab=settings` });
  await using page = await openPage(link);
  const answer = await holdSave(page);
  const { said } = await hearPage(page);
  const description = page.getByLabel("Description");
  const save = page.getByRole("button", { name: "Save" });
  await description.fill("first ");
  await save.click();
  await description.fill("first and second");
  answer();
  await page.getByText("Saved.").waitFor();
  assert.equal((await service.api("GET", `/webhooks/${id}`))["description"], "first ");
  assert.equal(await description.inputValue(), "first and second");
  await page.getByRole("button", { name: "Discard" }).waitFor();
  await save.click();
  await page.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
  assert.equal((await service.api("GET", `/webhooks/${id}`))["description"], "first and second");
  assert.doesNotMatch((await said()).join("\n"), /changed elsewhere/);
});

test("who looks at another part while a URL is saved is told, and not that somebody else changed it", async () => {
  const id = await shop.addWebhook("castle", { url: "http://127.0.0.1:9/left" });
  const link = await service.link({ path: `/webhooks/${id}?tab=settings` });
  await using page = await openPage(link);
  const answer = await holdSave(page);
  await page.getByRole("textbox", { name: "URL" }).fill("http://127.0.0.1:9/other");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("tab", { name: "Deliveries" }).click();
  answer();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  assert.equal(
    await page.getByRole("textbox", { name: "URL" }).inputValue(),
    "http://127.0.0.1:9/…",
  );
  assert.equal(await page.getByText("This was changed elsewhere meanwhile").count(), 0);
});

test("who looks at another part while a URL is refused is told that it was not saved", async () => {
  const id = await shop.addWebhook("castle", { url: "http://127.0.0.1:9/refused" });
  const link = await service.link({ path: `/webhooks/${id}?tab=settings` });
  await using page = await openPage(link);
  const answer = await holdSave(page);
  await page.getByRole("textbox", { name: "URL" }).fill("http://10.0.0.1/other");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("tab", { name: "Deliveries" }).click();
  answer();
  await page.getByRole("alert").getByText("This address is not allowed").waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  const typed = await page.getByRole("textbox", { name: "URL" }).inputValue();
  assert.equal(typed, "http://10.0.0.1/other");
});

test("messages that are changed while they are saved were not changed elsewhere", async () => {
  const id = await shop.addWebhook("castle", {
    url: `https://discord.com/api/webhooks/112233445566778899/${"sample-".repeat(9)}`,
  });
  const link = await service.link({ path: `/webhooks/${id}?tab=messages` });
  await using page = await openPage(link);
  const answer = await holdSave(page);
  const { said } = await hearPage(page);
  const title = page.getByLabel("Title", { exact: true });
  await title.fill("Sold to {buyer}");
  await page.getByRole("button", { name: "Save messages" }).click();
  await title.fill("Sold to {buyer}: {resource}");
  answer();
  await page.getByText("Messages saved.").waitFor();
  await page.getByText("You have unsaved changes.").waitFor();
  await page.getByRole("button", { name: "Save messages" }).click();
  await page.getByText("All changes are saved.").waitFor();
  // Nor for a moment: an alert is read out.
  assert.doesNotMatch((await said()).join("\n"), /changed elsewhere/);
  assert.equal(await title.inputValue(), "Sold to {buyer}: {resource}");
});

test("messages that are saved follow what is changed elsewhere afterwards", async () => {
  const id = await shop.addWebhook("castle", {
    url: `https://discord.com/api/webhooks/112233445566778800/${"sample-".repeat(9)}`,
  });
  const link = await service.link({ path: `/webhooks/${id}?tab=messages` });
  await using page = await openPage(link);
  const title = page.getByLabel("Title", { exact: true });
  await title.fill("Sold to {buyer}");
  await page.getByRole("button", { name: "Save messages" }).click();
  await page.getByText("All changes are saved.").waitFor();
  const messages = { "product.user.purchase": { title: "From elsewhere" } };
  await service.api("PATCH", `/webhooks/${id}`, { chat: { messages } });
  // The page hears of it, and reads the webhook again.
  await service.api("POST", `/webhooks/${id}/ping`);
  await page
    .getByRole("figure", { name: "Preview of the message" })
    .getByText("From elsewhere")
    .waitFor();
  assert.equal(await title.inputValue(), "From elsewhere");
  assert.equal(await page.getByText("These messages were changed elsewhere").count(), 0);
});

test("what was typed before an upgrade is kept, and a field that the earlier pages lacked is as it was saved", async () => {
  const id = await shop.addWebhook("castle", { url: "http://127.0.0.1:9/upgraded" });
  const link = await service.link({ path: `/webhooks/${id}?tab=settings` });
  await using page = await openPage(link);
  await page.getByLabel("Description").fill("typed before");
  await page.getByRole("button", { name: "Discard" }).waitFor();
  await page.evaluate(() => {
    const name = Object.keys(sessionStorage).find((one) => one.endsWith(":drafts")) ?? "";
    const kept = sessionStorage.getItem(name) ?? "";
    sessionStorage.setItem(name, kept.replaceAll(/"url":"[^"]*",/g, ""));
  });
  await page.reload();
  const description = page.getByLabel("Description");
  await description.waitFor();
  assert.equal(await description.inputValue(), "typed before");
  const url = page.getByRole("textbox", { name: "URL" });
  assert.equal(await url.inputValue(), "http://127.0.0.1:9/…");
});
