import assert from "node:assert/strict";
import { test } from "node:test";
import { hasNoViolation } from "./has-no-violation.ts";
import { logRows } from "./open-webhook.ts";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h" });

async function urlOf(id: string): Promise<unknown> {
  return (await service.api("GET", `/webhooks/${id}/url`))["url"];
}

test("the new address of a server that has moved is taken over by two clicks, if it is one that may be typed", async () => {
  const id = await shop.addWebhook("moved");
  receiver.status = 308;
  const target = `https://127.0.0.1:${receiver.port}/new?a=1`;
  receiver.headers = { location: "https://10.0.0.1/inside" };
  await using page = await openPage(await service.link({ path: `/webhooks/${id}` }));
  const ping = page.getByRole("button", { name: "Ping", exact: true });
  await ping.click();
  await page.getByRole("button", { name: "Use the new address…" }).click();
  await page.getByRole("dialog").getByText("https://10.0.0.1/inside").waitFor();
  await page
    .getByRole("dialog")
    .getByText(/not a public address|private|not allowed/i)
    .first()
    .waitFor();
  assert.equal(await page.getByRole("button", { name: "Use this address" }).isDisabled(), true);
  await hasNoViolation(page);
  await page.getByRole("button", { name: "Cancel" }).click();

  receiver.headers = { location: target };
  await ping.click();
  await page.getByRole("button", { name: "Use the new address…" }).click();
  await page.getByRole("dialog").getByText(target).waitFor();
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByText("Saved. Send a ping to see whether it replies.").waitFor();
  assert.equal(await urlOf(id), target);
  receiver.headers = {};
  receiver.status = 200;
});

test("a plain address whose server wants https is offered with https, on the delivery that failed", async () => {
  const id = await shop.addWebhook("plain");
  receiver.status = 400;
  await shop.sell("plain", 1);
  receiver.status = 200;
  await using page = await openPage(await service.link({ path: `/webhooks/${id}` }));
  await logRows(page).first().click();
  await page.getByRole("button", { name: "Use https instead…" }).click();
  const target = receiver.url.replace("http:", "https:");
  await page.getByRole("dialog").getByText(target).waitFor();
  await hasNoViolation(page);
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByText("Saved. Send a ping to see whether it replies.").waitFor();
  assert.equal(await urlOf(id), target);
  // What that reply told is settled.
  await page.getByRole("button", { name: "Use https instead…" }).waitFor({ state: "detached" });
});
