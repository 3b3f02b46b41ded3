import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Channel, type SlackStandIn, startSlack } from "../slack/stand-in.ts";
import { openPage } from "./open-page.ts";
import { openWebhook } from "./open-webhook.ts";
import { service, shop, useService } from "./use-service.ts";

let slack: SlackStandIn;

before(async () => {
  slack = await startSlack();
});

useService(() => ({ MARKETHOOK_CHAT_ORIGINS: `slack=${slack.origin}` }));

after(async () => await slack.close());

/** A resource of its own with a webhook into a channel of its own. */
async function makeWebhook(id: string): Promise<{ webhookId: string; channel: Channel }> {
  const channel = slack.addChannel(id);
  return { webhookId: await shop.addWebhook(id, { url: channel.url }), channel };
}

test("a pasted address of Slack becomes a webhook, and its ping stands in the channel", async () => {
  await shop.addResource("first");
  const channel = slack.addChannel("first");
  await using page = await openPage(await service.link({ resourceId: "first" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByText("switch on Incoming Webhooks").waitFor();
  await page.getByLabel("URL").and(page.locator(":focus")).waitFor();
  await page.keyboard.insertText(channel.url);
  await page.getByText("Slack channel: messages are posted there").waitFor();
  assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 3);
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping posted to your chat").waitFor();
  const seen = await page.context().newPage();
  await seen.goto(`${slack.origin}/channels`);
  await seen.getByRole("region", { name: "first" }).getByText("Ping: The first").waitFor();
  assert.ok(!(await page.content()).includes(channel.token));
  assert.deepEqual(slack.violations, []);
});

test("the address of a workflow is refused as it is typed, with what to do", async () => {
  await shop.addResource("wrong");
  await using page = await openPage(await service.link({ resourceId: "wrong" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("https://hooks.slack.com/triggers/T0123ABCD/314159/c6e6c0d8");
  await page.getByText("starts a Slack workflow, which takes no messages").first().waitFor();
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 1);
});

test("what the preview shows is what the channel gets, and only what Slack has can be chosen", async () => {
  const { channel } = await makeWebhook("shown");
  await using page = await openPage(await service.link({ resourceId: "shown" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Messages" }).click();
  const preview = page.getByRole("figure", { name: "Preview of the message" });
  await preview.getByText("New sale: The shown").waitFor();
  for (const label of ["Colour", "Role to mention", "Thread"]) {
    assert.equal(await page.getByLabel(label, { exact: true }).count(), 0, label);
  }
  assert.equal(await page.getByRole("radio", { name: "Change the sale's message" }).count(), 0);
  await page.getByRole("textbox", { name: "Title" }).fill("Sold to {buyer} <!channel>");
  await page.getByRole("textbox", { name: "Text" }).fill("*{amount} {currency}* & `{order}`");
  await preview.getByText("Sold to Jo <!channel>").waitFor();
  assert.equal(await preview.locator("strong", { hasText: "4.99 EUR" }).count(), 1);
  assert.equal(await preview.locator("code").innerText(), "88213");
  await page.getByText(/Title 27 of 150 · Text 24 of 3,000/).waitFor();
  await page.getByRole("button", { name: "Save messages" }).click();
  await page.getByText("All changes are saved.").waitFor();
  await shop.buyAsPreviewed("shown");
  await slack.waitFor(() => channel.messages.length === 1);
  const [header, section] = channel.messages[0]?.blocks ?? [];
  assert.ok(header?.type === "header" && section?.type === "section" && "text" in section);
  assert.equal(header.text.text, "Sold to Jo &lt;!channel&gt;");
  assert.equal(section.text.text, "*4.99 EUR* &amp; `88213`");
});

test("a webhook whose channel was archived says so, and what to do, in German too", async () => {
  const { webhookId, channel } = await makeWebhook("archived");
  channel.state = "channel_is_archived";
  await shop.buyAsPreviewed("archived");
  while ((await service.api("GET", `/webhooks/${webhookId}`))["state"] !== "disabled") {
    await pause(50);
  }
  await using open = await openPage(await service.link({ resourceId: "archived" }));
  await openWebhook(open);
  await open.getByText("its channel is archived or gone").waitFor();

  const link = `${await service.link({ resourceId: "archived" })}&lang=de`;
  await using page = await openPage(link, { locale: "en-US" });
  await page
    .getByRole("list", { name: /^Webhooks/ })
    .getByRole("link")
    .first()
    .click();
  await page.getByText("Sein Kanal ist archiviert oder gelöscht").waitFor();
  channel.state = "usable";
  await page.getByRole("button", { name: "Fortsetzen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Fortsetzen" }).click();
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await slack.waitFor(() => channel.messages.length > 0);
});
