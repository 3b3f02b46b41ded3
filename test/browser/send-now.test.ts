import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h,1h" });

/** A webhook of which so many deliveries wait an hour for their next attempt; its receiver works again. */
async function waiting(resourceId: string, count: number): Promise<void> {
  receiver.status = 500;
  await shop.addWebhook(resourceId);
  await shop.sell(resourceId, count);
  receiver.status = 200;
  await shop.untilStored(resourceId, "pending", count);
}

test("a delivery that waits for its next attempt is sent now from its page", async () => {
  await waiting("tower", 1);
  await using page = await openPage(await service.link({ resourceId: "tower" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByRole("link", { name: /Pending.*user 1/s }).click();
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByText("It is being sent.").waitFor();
  await page.getByText("Delivered", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Send now" }).waitFor({ state: "detached" });
});

test("a delivery whose turn a server's pause keeps back says until when, and is sent now", async () => {
  receiver.headers = { "retry-after": "3600" };
  await waiting("bridge", 1);
  receiver.headers = {};
  await shop.buy("bridge", 1, 2);
  await using page = await openPage(await service.link({ resourceId: "bridge" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByRole("link", { name: /Pending.*user 2/s }).click();
  await page.getByText("Your server asked for a pause of all deliveries").waitFor();
  await page.getByText(/^Next attempt in (59|60) min|^Next attempt in 1 hr/).waitFor();
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByText("Delivered", { exact: true }).waitFor();
});

test("all that waits for a webhook is counted and sent now, with a word at the end", async () => {
  await waiting("castle", 3);
  await using page = await openPage(await service.link({ resourceId: "castle" }));
  await page
    .getByRole("list", { name: /^Webhooks of/ })
    .getByRole("link")
    .first()
    .click();
  const openDialog = async (): Promise<void> => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Send all waiting…" }).click();
  };
  await openDialog();
  await page.getByText("3 deliveries wait.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Send 3 now" }).click();
  await page.getByText("3 sent.").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  for (const user of [1, 2, 3]) {
    await page.getByRole("link", { name: new RegExp(`Delivered.*user ${user}\\b`, "s") }).waitFor();
  }
  await openDialog();
  await page.getByText("Nothing waits for a later attempt.").waitFor();
});

test("where an event never arrived, the page offers to send what is missing", async () => {
  receiver.status = 200;
  await service.api("PUT", "/resources/late", { title: "A map", ownerId: "owner-1" });
  for (const event of ["product.user.purchase", "product.user.firstDownload"])
    await service.api("POST", "/resources/late/events", { event, user: { id: 1 } });
  await service.api("POST", "/resources/late/webhooks", { url: receiver.url });
  const answered = receiver.requests.length;
  await using page = await openPage(await service.link({ resourceId: "late" }));
  await page.getByRole("link", { name: "Events" }).click();
  await page
    .getByRole("button", { name: /purchase/i })
    .first()
    .click();
  await page.getByText("The webhook was added after this event.").waitFor();
  await page.getByRole("button", { name: "Send missing events…" }).click();
  await page.getByText("2 events were never sent here.").waitFor();
  await page.getByRole("button", { name: "Send 2", exact: true }).click();
  await page.getByText("2 sent.").waitFor();
  await receiver.answered(answered + 2);
  const names = receiver.requests
    .slice(answered)
    .map(({ body }) => (JSON.parse(body) as { event: string }).event);
  assert.deepEqual(names, ["product.user.purchase", "product.user.firstDownload"]);
});
