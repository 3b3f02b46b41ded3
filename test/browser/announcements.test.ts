import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { hearPage } from "./hear-page.ts";
import { noteCopies, pressCopy } from "./note-copies.ts";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h,1h" });

test("of a ping only the result, the reply's first words and the next step are read out, and of Copy only that it copied", async () => {
  const id = await shop.addWebhook("pinged");
  const path = `/webhooks/${id}?tab=settings`;
  await using page = await openPage(await service.link({ path }));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const ping = page.getByRole("button", { name: "Ping", exact: true });
  await ping.waitFor();
  const heard = await hearPage(page);
  receiver.status = 404;
  await ping.click();
  await page.getByText("Your server replies, but not at this path").waitFor();
  receiver.status = 200;
  assert.deepEqual(await heard.said(), [
    "Ping Waiting for your server.",
    "Your server replied with an error: 404 ok Your server replies, but not at this path. Compare it with the route in your code.",
  ]);
  await pressCopy(page, "Copy request headers", "Copied request headers");
  await page.getByRole("button", { name: "Copy request headers" }).waitFor();
  assert.deepEqual(await heard.said(), ["request headers copied"]);
});

test("a second press of Copy says Copied for its whole time", async () => {
  const id = await shop.addWebhook("twice");
  const path = `/webhooks/${id}?tab=secret`;
  await using page = await openPage(await service.link({ path }));
  const copied = page.getByRole("button", { name: "Copied secret" });
  await page.getByRole("button", { name: "Copy secret" }).waitFor();
  await noteCopies(page);
  await page.clock.install();
  // Otherwise a slow machine lets it go on while the button is looked for.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  await page.getByRole("button", { name: "Copy secret" }).click();
  await copied.waitFor();
  await page.clock.runFor(2000);
  await page.evaluate(() => delete document.body.dataset["copied"]);
  await copied.click();
  await page.locator("body[data-copied]").waitFor();
  await page.clock.runFor(1000);
  assert.equal(await copied.count(), 1);
  await page.clock.runFor(2000);
  await page.getByRole("button", { name: "Copy secret" }).waitFor();
});

test("of a sample only the result is read out", async () => {
  const id = await shop.addWebhook("sampled");
  const path = `/webhooks/${id}?tab=settings`;
  await using page = await openPage(await service.link({ path }));
  await page.getByRole("button", { name: "Sample…" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a sample" });
  await dialog.getByText("X-Market-Sample: 1").waitFor();
  const heard = await hearPage(page);
  await dialog.getByRole("button", { name: "Send sample" }).click();
  await dialog.getByRole("region", { name: "reply headers" }).waitFor();
  assert.deepEqual(await heard.said(), ["Your server accepted it with 200"]);
});

test("of a check of the server only the verdict is read out", async () => {
  const id = await shop.addWebhook("checked");
  const path = `/webhooks/${id}?tab=verify`;
  await using page = await openPage(await service.link({ path }));
  const button = page.getByRole("button", { name: "Check my server" });
  await button.waitFor();
  const heard = await hearPage(page);
  await button.click();
  await page.getByText("Wrong", { exact: true }).first().waitFor();
  const said = await heard.said();
  assert.equal(said.length, 2);
  assert.match(said[0] ?? "", /^Waiting/);
  assert.match(said[1] ?? "", /^Cannot tell: your server replies 2xx to forged requests\./);
  assert.doesNotMatch(said[1] ?? "", /Wrong/);
});

test("that the service cannot be reached is said once, for a ping and for a check", async () => {
  const id = await shop.addWebhook("cut-off");
  const path = `/webhooks/${id}?tab=verify`;
  await using page = await openPage(await service.link({ path }));
  await page.getByRole("button", { name: "Check my server" }).waitFor();
  await page.route(/\/(ping|checkup)$/, (route) => route.abort());
  for (const name of ["Ping", "Check my server"]) {
    const heard = await hearPage(page);
    await page.getByRole("button", { name, exact: true }).click();
    const alerts = page.getByRole("alert").filter({ hasText: "The service cannot be reached" });
    await alerts.nth(name === "Ping" ? 0 : 1).waitFor();
    const said = (await heard.said()).filter((text) => text.includes("cannot be reached"));
    assert.equal(said.length, 1, name);
  }
});

/** It has the focus, and a screen reader reads this fault with it. */
async function leadsTo(field: Locator, fault: string | RegExp): Promise<void> {
  const page = field.page();
  const focused = page.locator(":focus[aria-invalid=true]");
  await field.and(focused).waitFor();
  const described = await focused.evaluate((element) => {
    const ids = (element.getAttribute("aria-describedby") ?? "").split(" ");
    return ids.map((id) => document.getElementById(id)?.textContent ?? "");
  });
  const found = described.some((text) => text.match(fault) !== null);
  assert.ok(found, described.join(" | "));
}

test("a form that is refused leads to its first field with a fault, or says the fault of the one that has the focus", async () => {
  const id = await shop.addWebhook("refused");
  await using page = await openPage(await service.link({ resourceId: "refused" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  const url = page.getByLabel("URL");
  const add = page.getByRole("button", { name: "Add webhook" });
  await add.click();
  await leadsTo(url, "Enter the URL.");
  const heard = await hearPage(page);
  for (let times = 0; times < 2; times += 1) {
    await page.keyboard.press("Enter");
    assert.deepEqual(await heard.next(), ["Enter the URL."]);
  }
  // What the service refuses.
  await url.fill("ftp://x");
  await page.locator("[aria-invalid=true]").waitFor();
  await add.click();
  await leadsTo(url, /http/);
  await url.fill(receiver.url);
  await page.getByText("Format: JSON").waitFor();
  await page.getByRole("radio", { name: "Chosen events" }).check();
  await add.click();
  await leadsTo(page.getByRole("checkbox").first(), "Choose at least one event, or all.");

  await page.goto(await service.link({ path: `/webhooks/${id}?tab=settings` }));
  await url.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await leadsTo(url, "Enter the URL.");

  await page.getByRole("link", { name: "Events" }).click();
  await page.getByLabel("User id").fill("abc");
  await page.getByRole("button", { name: "Find" }).click();
  await leadsTo(page.getByLabel("User id"), "A user id is a whole number.");
});

test("what becomes of a delivery that is sent now is said", async () => {
  await shop.addWebhook("retried");
  receiver.status = 500;
  await shop.sell("retried", 1);
  await using page = await openPage(await service.link({ resourceId: "retried" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByRole("link", { name: /Pending.*user 1/s }).click();
  const send = page.getByRole("button", { name: "Send now" });
  await send.waitFor();
  receiver.status = 200;
  const heard = await hearPage(page);
  await send.click();
  await page.getByText("Delivered", { exact: true }).waitFor();
  const said = await heard.said();
  assert.equal(said.filter((text) => text === "Delivered").length, 1, said.join(" | "));
});

test("what a changed filter of the log shows is said, and deliveries that come later are not counted again", async () => {
  await shop.addWebhook("filtered");
  await shop.sell("filtered", 3);
  const link = await service.link({ resourceId: "filtered", path: "/deliveries" });
  await using page = await openPage(link);
  await logRows(page).nth(2).waitFor();
  const heard = await hearPage(page);
  /** How much is said to be shown, until something is said that is like this. The chart speaks too. */
  const countsUntil = async (last: RegExp): Promise<string[]> => {
    const said: string[] = [];
    while (!said.some((text) => last.test(text))) said.push(...(await heard.next()));
    return said.filter((text) => /^\d+ deliver/.test(text));
  };
  await page.getByRole("combobox", { name: "State" }).selectOption("dead");
  assert.deepEqual(await countsUntil(/^\d+ deliver/), ["0 deliveries"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  assert.deepEqual(await countsUntil(/^\d+ deliver/), ["3 deliveries"]);
  // Where the mouse is over the log, new rows wait.
  await page.mouse.move(0, 0);
  await shop.sell("filtered", 1);
  assert.deepEqual(await countsUntil(/new delivery/), []);
});

test("a search for a user's events leaves the focus in its field, and what it found is said", async () => {
  await shop.addWebhook("searched");
  await shop.buy("searched", 1, 48151);
  const link = await service.link({ resourceId: "searched", path: "/events" });
  await using page = await openPage(link);
  const heard = await hearPage(page);
  for (const [id, found] of [
    ["48151", "1 event"],
    ["48152", "0 events"],
  ] as const) {
    await page.getByRole("textbox", { name: "User id" }).fill(id);
    await page.keyboard.press("Enter");
    const said: string[] = [];
    while (!said.some((text) => /^\d+ event/.test(text))) said.push(...(await heard.next()));
    assert.ok(said.includes(found), said.join("; "));
    await page.getByRole("textbox", { name: "User id" }).and(page.locator(":focus")).waitFor();
  }
});
