import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Channel } from "../discord/channels.ts";
import { type DiscordStandIn, startDiscord } from "../discord/stand-in.ts";
import { countClicks } from "./count-clicks.ts";
import { openPage } from "./open-page.ts";
import { openWebhook } from "./open-webhook.ts";
import { service, shop, useService } from "./use-service.ts";

let discord: DiscordStandIn;

before(async () => {
  discord = await startDiscord({ bucket: { limit: 5, perMs: 20 } });
});

useService(() => ({ MARKETHOOK_CHAT_ORIGINS: `discord=${discord.origin}` }));

after(async () => await discord.close());

/** A resource of its own with a webhook into a channel of its own, and its page. */
async function makeWebhook(id: string): Promise<{ webhookId: string; channel: Channel }> {
  const channel = discord.addChannel(id);
  return { webhookId: await shop.addWebhook(id, { url: channel.url }), channel };
}

test("from Add webhook to a ping seen in the Discord channel takes at most 3 clicks and one paste", async () => {
  await shop.addResource("first");
  const channel = discord.addChannel("first");
  await using page = await openPage(await service.link({ resourceId: "first" }));
  const clicks = await countClicks(page);

  await page.getByRole("link", { name: "Add webhook" }).click();
  // Who has never made one is told where Discord makes it.
  await page.getByText("Server settings, Integrations, Webhooks").waitFor();
  // The field has the focus: the paste needs no click.
  await page.getByLabel("URL").and(page.locator(":focus")).waitFor();
  await page.keyboard.insertText(channel.url);
  await page.getByText("Discord channel: messages are posted there").waitFor();
  const chosen = page.getByRole("checkbox", { checked: true });
  assert.equal(await chosen.count(), 3);
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByText("Press Ping and look at your chat.").waitFor();
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping posted to your chat").waitFor();
  assert.ok((await clicks()) <= 3, `${await clicks()} clicks`);

  const seen = await page.context().newPage();
  await seen.goto(`${discord.origin}/channels`);
  await seen.getByRole("region", { name: "first" }).getByText("Ping: The first").waitFor();

  // Nobody sees the address again, and there is no secret to care for.
  const [token] = channel.url.split("/").slice(-1);
  assert.ok(!(await page.content()).includes(token ?? ""));
  assert.deepEqual(await page.getByRole("tab").allTextContents(), [
    "Deliveries",
    "Messages",
    "Settings",
  ]);
  assert.deepEqual([...discord.violations], []);
});

test("a Discord link that is no webhook's URL is refused as it is typed, with what to do", async () => {
  await shop.addResource("wrong");
  await using page = await openPage(await service.link({ resourceId: "wrong" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("https://discord.com/channels/112233445566778899/1");
  // Below the field, in the words of the advice above it, and read out.
  await page.getByText("press Copy Webhook URL").nth(1).waitFor();
  await page.getByRole("status").getByText("not a webhook's address").waitFor();
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 1);
  const refused = page.waitForResponse((response) => response.status() === 422);
  await page.keyboard.press("Enter");
  await refused;
  // It is an https address.
  await page.getByRole("button", { name: "Add webhook", disabled: false }).waitFor();
  assert.equal(await page.getByText("Use an http or https address").count(), 0);
});

test("what the preview shows is what the channel gets, and a reset brings the default back", async () => {
  const { channel } = await makeWebhook("shown");
  await using page = await openPage(await service.link({ resourceId: "shown" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Messages" }).click();
  const preview = page.getByRole("figure", { name: "Preview of the message" });
  await preview.getByText("New sale: The shown").waitFor();
  const save = page.getByRole("button", { name: "Save messages" });
  assert.ok(await save.isDisabled());

  await page.getByRole("textbox", { name: "Title" }).fill("Sold to {buyer}: ");
  await page.getByRole("button", { name: "{resource}:" }).click();
  await preview.getByText("Sold to Jo: The shown").waitFor();
  await page.getByRole("textbox", { name: "Text" }).fill("**{amount} {currency}** for `{order}`");
  await page.getByLabel("Colour", { exact: true }).fill("#123456");
  await page.getByText("You have unsaved changes.").waitFor();
  await page.getByText(/Title 21 of 256/).waitFor();

  // Another part of the page loses nothing.
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("tab", { name: "Messages" }).click();
  await page.getByText("You have unsaved changes.").waitFor();
  await save.click();
  await page.getByText("All changes are saved.").waitFor();

  await shop.buyAsPreviewed("shown");
  await discord.waitFor(() => channel.messages.length === 1);
  const embed = channel.messages[0]?.embeds[0];
  assert.deepEqual(await shownEmbed(preview), {
    title: embed?.title,
    description: "4.99 EUR for 88213",
    fields: embed?.fields?.map(({ name, value }) => [name, value.replaceAll("\\", "")]),
    colour: "rgb(18, 52, 86)",
  });
  assert.equal(embed?.title, "Sold to Jo: The shown");
  assert.equal(embed?.description?.replaceAll("\\", ""), "**4.99 EUR** for `88213`");
  assert.equal(embed?.color, 0x123456);

  await page.getByRole("button", { name: "Reset this message" }).click();
  await preview.getByText("New sale: The shown").waitFor();
  await page.getByText("You have unsaved changes.").waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await preview.getByText("Sold to Jo").waitFor();
});

test("a template that cannot be used is said at its field, and not saved", async () => {
  await makeWebhook("faulty");
  await using page = await openPage(await service.link({ resourceId: "faulty" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Messages" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("{buyr} <img src=x onerror=alert(1)>");
  await page.getByText("There is no placeholder {buyr} here.").first().waitFor();
  await page.getByText("Something above cannot be saved yet.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Save messages" }).isDisabled());
  // What is pasted is never cut without a word.
  const text = page.getByRole("textbox", { name: "Text" });
  const pasted = `${"a".repeat(2500)} END {resource}`;
  await text.fill(pasted);
  assert.equal(await text.inputValue(), pasted);
  await page.getByText("There are more than 2000 characters.").first().waitFor();
  await text.fill("{resource}");
  // Marks of the page's own language are text.
  await page.getByRole("textbox", { name: "Title" }).fill("<img src=x onerror=alert(1)>");
  const preview = page.getByRole("figure", { name: "Preview of the message" });
  await preview.getByText("<img src=x onerror=alert(1)>").waitFor();
  assert.equal(await preview.locator("img").count(), 0);
});

test("an owner is told that their message could not be used, and that the default one stood in", async () => {
  await shop.addResource("failed");
  const channel = discord.addChannel("failed");
  const messages = { "product.user.purchaseRemoved": { title: "{reason}" } };
  const made = await service.api("POST", "/resources/failed/webhooks", {
    url: channel.url,
    chat: { messages },
  });
  const event = "product.user.purchaseRemoved";
  await service.api("POST", "/resources/failed/events", { event, user: { id: 1 } });
  await until(String(made["id"]), ({ chatFault }) => chatFault !== null);
  assert.equal(channel.messages[0]?.embeds[0]?.title, "Removed: The failed");
  await using page = await openPage(await service.link({ resourceId: "failed" }));
  await openWebhook(page);
  await page.getByText("A message of yours could not be used").waitFor();
  await page.getByRole("link", { name: "Open messages" }).click();
  await page.getByRole("figure", { name: "Preview of the message" }).waitFor();
  // The log says it at the attempt.
  await page.getByRole("tab", { name: "Deliveries" }).click();
  await page.getByRole("list", { name: "Deliveries" }).getByRole("link").first().click();
  await page.getByText("The default message was posted instead of yours").waitFor();
});

test("a webhook that was deleted in Discord says so, and what to do", async () => {
  const { webhookId, channel } = await makeWebhook("dead");
  channel.state = "deleted";
  await shop.buyAsPreviewed("dead");
  await using page = await openPage(await service.link({ resourceId: "dead" }));
  await openWebhook(page);
  await until(webhookId, ({ disabledReason }) => disabledReason === "chat_deleted");
  // Held meanwhile.
  await shop.buyAsPreviewed("dead");
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("The webhook was deleted in the chat: 404").waitFor();
  await page.getByText("The Discord webhook was deleted. Make a new one in Discord").waitFor();

  // The way out: another URL, and resume.
  const renewed = discord.addChannel("renewed");
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("URL").fill(renewed.url);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("status").getByText("Messages now go to another chat").waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await discord.waitFor(() => renewed.messages.length === 1);
  assert.equal(renewed.messages[0]?.embeds[0]?.title, "New sale: The dead");
});

/** Asked until it is so: what comes of an answer is written in the background. */
async function until(
  webhookId: string,
  isSo: (webhook: Record<string, unknown>) => boolean,
): Promise<void> {
  while (!isSo(await service.api("GET", `/webhooks/${webhookId}`))) await pause(50);
}

/** What a person reads of the preview. */
async function shownEmbed(preview: ReturnType<Page["getByRole"]>) {
  return await preview.getByTestId("embed").evaluate((embed) => ({
    title: embed.querySelector("[data-linked]")?.textContent,
    description: embed.querySelector('[class*="description"]')?.textContent,
    fields: [...embed.querySelectorAll("dl > div")].map((field) => [
      field.querySelector("dt")?.textContent,
      field.querySelector("dd")?.textContent,
    ]),
    colour: getComputedStyle(embed).borderLeftColor,
  }));
}

test("a message that the channel has is posted a second time only on purpose, and nobody is told of a server", async () => {
  const { channel } = await makeWebhook("twice");
  await shop.buyAsPreviewed("twice");
  await shop.untilStored("twice", "delivered", 1);
  await using page = await openPage(await service.link({ resourceId: "twice" }));
  await openWebhook(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Send many again…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("No delivery fits.").waitFor();
  await dialog.getByLabel("Delivered").check();
  await dialog.getByText("are posted a second time.").waitFor();
  assert.doesNotMatch(await dialog.innerText(), /server|webhook-id/);
  await page.keyboard.press("Escape");
  await page.getByRole("list", { name: "Deliveries" }).getByRole("link").click();
  await page.getByRole("button", { name: "Send again" }).click();
  await dialog.getByText("It is posted a second time, as another message.").waitFor();
  assert.doesNotMatch(await dialog.innerText(), /server|webhook-id/);
  assert.equal(channel.messages.length, 1);
  await page.getByRole("button", { name: "Send it again anyway" }).click();
  await page.getByText("Sent again, as a delivery of its own.").waitFor();
  await discord.waitFor(() => channel.messages.length === 2);
});

test("while it is not known that a delivery went into a chat, Send again posts nothing", async () => {
  const { webhookId, channel } = await makeWebhook("unknown");
  await shop.buyAsPreviewed("unknown");
  await discord.waitFor(() => channel.messages.length === 1);
  await shop.untilStored("unknown", "delivered", 1);
  const { items } = await service.api("GET", `/webhooks/${webhookId}/deliveries`);
  const [delivery] = items as { id: string }[]; // As the API's document says.
  await using page = await openPage("about:blank");
  const known = Promise.withResolvers<void>();
  await page.route(/\/v1\/webhooks(\/wh_\w+)?(\?|$)/, async (route) => {
    await known.promise;
    await route.continue();
  });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/redeliver")) sent.push(request.url());
  });
  await page.goto(await service.link({ path: `/deliveries/${delivery?.id}` }));
  const button = page.getByRole("button", { name: "Send again" });
  await button.press("Enter");
  await page.evaluate(async () => await new Promise((seen) => requestAnimationFrame(seen)));
  assert.deepEqual(sent, []);
  known.resolve();
  await button.click();
  await page.getByRole("dialog").getByText("It is posted a second time").waitFor();
  assert.deepEqual(sent, []);
});
