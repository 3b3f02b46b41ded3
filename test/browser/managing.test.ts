import assert from "node:assert/strict";
import { test } from "node:test";
import { shownUrl } from "@markethook/protocol";
import { Ledger } from "../ledger.ts";
import { startRecordingReceiver } from "../recording-receiver.ts";
import { countClicks } from "./count-clicks.ts";
import { pressCopy } from "./note-copies.ts";
import { openPage } from "./open-page.ts";
import { openWebhook } from "./open-webhook.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

/** A resource of its own for each test, and a webhook of it. */
async function makeWebhook(resourceId: string, webhook: Record<string, unknown> = {}) {
  await shop.addResource(resourceId);
  return await service.api("POST", `/resources/${resourceId}/webhooks`, {
    url: receiver.url,
    ...webhook,
  });
}

test("from Webhooks to a verified ping at an own receiver takes at most 6 clicks and one paste", async () => {
  await shop.addResource("fresh");
  const secrets: string[] = [];
  const ledger = new Ledger();
  const own = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => 0,
  );
  await using page = await openPage(await service.link({ resourceId: "fresh" }));
  const countedClicks = await countClicks(page);

  await page.getByRole("link", { name: "Add webhook" }).click();
  // The field has the focus: the paste needs no click.
  await page.getByLabel("URL").and(page.locator(":focus")).waitFor();
  await page.keyboard.insertText(own.url);
  await page.getByText("Format: JSON").waitFor();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const secret = await page.getByTestId("secret").textContent();
  assert.match(secret ?? "", /^[A-Za-z0-9]{48}$/);
  await pressCopy(page, "Copy secret", "Copied secret");
  secrets.push(secret ?? "");
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping accepted with 204").waitFor();

  assert.deepEqual(ledger.violations, []);
  const clicks = await countedClicks();
  assert.ok(clicks >= 4 && clicks <= 6, `${clicks} clicks`);
  await own.close();
});

test("a URL is judged while it is typed", async () => {
  await shop.addResource("typed");
  await using page = await openPage(await service.link({ resourceId: "typed" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("https://localhost:99999/x");
  await page.locator('[aria-invalid="true"]').waitFor();
  await page.getByLabel("URL").fill("http://10.0.0.1/x");
  await page
    .getByText(/not allowed|public address/)
    .first()
    .waitFor();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByText("Format: JSON").waitFor();
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 0);
});

test("a failing ping is explained with the next step, the exact request and the answer", async () => {
  await makeWebhook("failing");
  await using page = await openPage(await service.link({ resourceId: "failing" }));
  await openWebhook(page);
  receiver.status = 401;
  receiver.text = "who are you";
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Your server replied with an error: 401").waitFor();
  await page.getByText("Most likely the signature did not fit").waitFor();
  // Its own words stand above the request, too.
  await page.getByText("who are you").nth(1).waitFor();
  receiver.status = 200;
  const headers = await page.getByRole("region", { name: "request headers" }).textContent();
  assert.match(headers ?? "", /X-Market-Signature: [0-9a-f]{64}/);
  await page.getByRole("group").or(page.getByRole("radiogroup")).getByText("Exact").click();
  const body = await page.getByRole("region", { name: "request body" }).textContent();
  const sent = receiver.requests.at(-1)?.body ?? "";
  assert.equal(body, sent.replace(receiver.url, shownUrl(receiver.url)));
  await page.getByText("First byte").waitFor();
});

test("a ping accepted with words of refusal shows them next to the word accepted", async () => {
  await makeWebhook("polite");
  await using page = await openPage(await service.link({ resourceId: "polite" }));
  await openWebhook(page);
  receiver.text = "invalid signature";
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page
    .getByRole("heading", {
      name: /^Ping accepted with 200 +but your server replied: invalid signature$/,
    })
    .waitFor();
  await page.getByText("That reads like a refusal.").waitFor();
  receiver.text = "ok";
});

test("chosen events and a changed host are saved, and a ping is offered", async () => {
  const webhook = await makeWebhook("edited");
  await using page = await openPage(await service.link({ resourceId: "edited" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("URL").fill(`http://127.0.0.2:${receiver.port}/other`);
  await page.getByLabel("Chosen events", { exact: true }).first().check();
  await page.getByText("A user purchases the resource.").waitFor();
  await page.getByRole("checkbox", { name: /product\.user\.purchase$/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Requests now go to another host").waitFor();
  const saved = await service.api("GET", `/webhooks/${String(webhook["id"])}`);
  assert.deepEqual(saved["events"], ["product.user.purchase"]);
  await page.getByRole("button", { name: "Send a ping" }).waitFor();
});

test("the URL stays when something else is changed, and is shown in full on request only", async () => {
  const url = `${receiver.url}/a-token-in-the-path?and=more`;
  const webhook = await makeWebhook("hidden", { url });
  await using page = await openPage(await service.link({ resourceId: "hidden" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Settings" }).click();
  assert.equal(await page.getByLabel("URL").inputValue(), shownUrl(url));
  await page.getByLabel("Description").fill("Mine");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const path = `/webhooks/${String(webhook["id"])}`;
  assert.equal((await service.api("GET", path))["description"], "Mine");
  assert.equal((await service.api("GET", `${path}/url`))["url"], url);
  assert.ok(!(await page.content()).includes("a-token-in-the-path"));
  await page.getByRole("button", { name: "Show the whole address" }).click();
  await page.getByText(url).waitFor();
});

test("a webhook is paused, and resumed with a choice for what was held", async () => {
  const webhook = await makeWebhook("paused");
  await using page = await openPage(await service.link({ resourceId: "paused" }));
  await openWebhook(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await page.getByText("This webhook is paused").waitFor();
  await shop.buy("paused");
  await page.getByRole("link", { name: /Held.*user 1/s }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("What should happen to the delivery held so far?").waitFor();
  await page.getByLabel("Drop them").check();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Resume" }).click();
  // Nothing is dropped because it was chosen the last time.
  assert.equal(await page.getByLabel("Drop them").isChecked(), false);
  await page.getByLabel("Drop them").check();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await page.getByRole("link", { name: /Cancelled.*user 1/s }).waitFor();
  const now = await service.api("GET", `/webhooks/${String(webhook["id"])}`);
  assert.equal(now["state"], "active");
});

test("a secret is revealed, and rotated both ways", async () => {
  const webhook = await makeWebhook("rotated");
  const old = String(webhook["secret"]);
  await using page = await openPage(await service.link({ resourceId: "rotated" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Secret" }).click();
  await page.getByRole("button", { name: "Copy secret" }).waitFor();
  assert.equal(await page.getByText(old).count(), 0);
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page.getByText(old).waitFor();
  await page.getByRole("button", { name: "Hide secret" }).click();
  await page.getByText(old).waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("A new secret is being introduced").waitFor();
  const before = receiver.requests.length;
  await page.getByRole("button", { name: "Ping with the new secret" }).click();
  await page.getByText("to a ping signed with the new secret alone").waitFor();
  assert.equal(receiver.requests.length, before + 1);
  await page.getByRole("button", { name: "Switch now" }).click();
  await page.getByText("The new secret signs alone now.").waitFor();

  await page.getByLabel("It leaked: switch now").check();
  await page.getByRole("button", { name: "Switch now" }).click();
  await page.getByText("Every request is signed with the new secret from now on.").waitFor();
  const { current } = await service.api("GET", `/webhooks/${String(webhook["id"])}/secret`);
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page.getByText(String(current)).waitFor();
  assert.notEqual(current, old);
});

test("a webhook is copied to other resources, each with its own secret, and deleted after a question", async () => {
  await makeWebhook("source", { description: "to copy" });
  await shop.addResource("target");
  await using page = await openPage(await service.link());
  await page
    .getByRole("list", { name: "Webhooks of The source" })
    .getByRole("link")
    .first()
    .click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy to my other resources…" }).click();
  await page.getByLabel("The target").check();
  await page.getByRole("button", { name: "Copy to 1" }).click();
  await page.getByText("Secret for The target").waitFor();
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page
    .getByRole("list", { name: "Webhooks of The source" })
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByRole("dialog").getByText("This cannot be undone").waitFor();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  await page.getByRole("list", { name: "Webhooks of The target" }).waitFor();
  await page.getByRole("list", { name: "Webhooks of The source" }).waitFor({ state: "detached" });
});

test("verification code has this service's header names, and a pasted request is explained", async () => {
  const webhook = await makeWebhook("verified");
  const sent = receiver.requests.length;
  await service.api("POST", `/webhooks/${String(webhook["id"])}/ping`, {});
  const request = receiver.requests[sent];
  assert.ok(request);
  await using page = await openPage(await service.link({ resourceId: "verified" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Verify requests" }).click();
  for (const [language, header] of [
    ["Node", "x-market-signature"],
    ["Python", "X-Market-Signature"],
    ["PHP", "HTTP_X_MARKET_SIGNATURE"],
    ["Java", "X-Market-Signature"],
    ["Go", "X-Market-Signature"],
    ["curl, openssl", "X-Market-Signature"],
  ] as const) {
    await page.getByText(language, { exact: true }).click();
    const code = page.getByRole("region", { name: `${language} code` });
    assert.ok((await code.textContent())?.includes(header), language);
  }
  await page.getByLabel("Headers").fill(
    Object.entries(request.headers)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join("\n"),
  );
  await page.getByLabel("Body").fill(request.body);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("The signature fits.").waitFor();
  await page.getByLabel("Body").fill(`${request.body}\n`);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText(/^The signature fits the body without the line break/).waitFor();
});
