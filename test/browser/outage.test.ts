import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGE_PLACES } from "../places.ts";
import { countClicks } from "./count-clicks.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";
import { receiver, useBrowser } from "./use-service.ts";

/** More than one step of 500. */
const SALES = 520;

useBrowser();

for (const [name, makePlace] of PAGE_PLACES) {
  test(`an outage is told with its cause, and healed by a ping and one click, on ${name}`, async (t) => {
    const service = await startPortalService({ MARKETHOOK_RETRY_SCHEDULE: "1h" }, makePlace);
    t.after(() => service.stop());
    const shop = openShop(service, receiver);
    const id = await shop.addWebhook("castle");
    receiver.status = 500;
    receiver.text = "database is locked";
    await shop.sell("castle", SALES);
    await using page = await openPage(
      await service.link({ resourceId: "castle", path: `/webhooks/${id}` }),
    );
    await page.getByText("Your server is failing").waitFor();
    await page.getByText("Last time: your server replied with an error (500).").waitFor();
    await page.getByText("After 5 days of this the webhook is disabled.").waitFor();
    const clicks = await countClicks(page);
    const cause = page.getByRole("list", { name: "Causes" }).getByRole("listitem");
    await cause.getByText(new RegExp(`^${SALES} failed since .*: 500$`)).waitFor();
    await cause.locator("bdi", { hasText: /^database is locked$/ }).waitFor();
    await cause.getByText(`${SALES} are tried again.`).waitFor();
    await hasNoViolation(page);

    receiver.status = 200;
    await page.getByRole("button", { name: "Ping", exact: true }).click();
    await page.getByText(`Your server replies again. Send the ${SALES} that wait?`).waitFor();
    await hasNoViolation(page);
    await page.getByRole("button", { name: `Send ${SALES} now` }).click();
    await page.getByRole("heading", { name: "All of it was sent" }).waitFor();
    assert.equal(await page.getByRole("progressbar").getAttribute("aria-valuenow"), "100");
    assert.equal(await clicks(), 2);
    await hasNoViolation(page);
    await page.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("Your server replies again").waitFor({ state: "detached" });
    const delivered = page
      .getByRole("list", { name: "Deliveries" })
      .getByRole("link", { name: /Delivered.*user/ });
    await delivered.nth(9).waitFor();
    const answer = await service.api("POST", `/webhooks/${id}/send-waiting`, {
      dryRun: true,
    });
    assert.deepEqual(answer, { count: 0, capped: false, sending: 0 });
  });
}

test("sending what waited can be stopped: what is not on its way waits as before, and goes on later", async (t) => {
  const service = await startPortalService({
    MARKETHOOK_RETRY_SCHEDULE: "1h",
    // What is held stays on its way, however slow the machine is.
    MARKETHOOK_ATTEMPT_TIMEOUT: "5m",
  });
  t.after(() => service.stop());
  const opened = Promise.withResolvers<undefined>();
  t.after(() => {
    opened.resolve(undefined);
    receiver.gate = null;
  });
  const shop = openShop(service, receiver);
  const id = await shop.addWebhook("castle");
  const count = async () =>
    await service.api("POST", `/webhooks/${id}/send-waiting`, { dryRun: true });
  receiver.status = 500;
  await shop.sell("castle", SALES);
  receiver.status = 200;
  await service.api("POST", `/webhooks/${id}/ping`);
  receiver.gate = opened.promise;
  await using page = await openPage(
    await service.link({ resourceId: "castle", path: `/webhooks/${id}` }),
  );
  await page.getByRole("button", { name: `Send ${SALES} now` }).click();
  await page.getByText(`0 of ${SALES} sent`).waitFor();
  await hasNoViolation(page);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("heading", { name: "Stopped" }).waitFor();
  await hasNoViolation(page);
  // Some were on their way.
  const { count: waits } = await count();
  assert.ok(Number(waits) > 0 && Number(waits) < SALES, String(waits));
  await page.getByText(`${String(waits)} wait as before.`).waitFor();
  opened.resolve(undefined);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: "All of it was sent" }).waitFor();
  assert.deepEqual(await count(), { count: 0, capped: false, sending: 0 });
});

test("what failed stands over the log by cause, and a click opens one or narrows the log to such ones", async (t) => {
  const service = await startPortalService({ MARKETHOOK_RETRY_SCHEDULE: "100ms" });
  t.after(() => service.stop());
  const id = await openShop(service, receiver).addWebhook("castle");
  const sell = async (status: number, user: number): Promise<void> => {
    receiver.status = status;
    receiver.text = `<b>${status}</b> by request ${user}`;
    const answered = receiver.answered(receiver.requests.length + 2);
    const event = { event: "product.user.purchase", user: { id: user } };
    await service.api("POST", "/resources/castle/events", event);
    await answered;
  };
  for (const user of [1, 2, 3]) await sell(500, user);
  await sell(404, 4);
  await using page = await openPage(
    await service.link({ resourceId: "castle", path: `/webhooks/${id}` }),
  );
  const rows = page.getByRole("list", { name: "Deliveries" }).getByRole("link");
  for (const user of [1, 2, 3, 4]) {
    await rows.filter({ hasText: new RegExp(`Failed.*user ${user}`) }).waitFor();
  }
  await page.reload();
  const causes = page.getByRole("list", { name: "Causes" }).getByRole("listitem");
  const broken = causes.filter({ hasText: /3 failed since/ });
  await broken.getByText("<b>500</b> by request 3").waitFor();
  await broken.getByText("3 were given up.").waitFor();
  await causes.filter({ hasText: /1 failed since .*: 404/ }).waitFor();
  await hasNoViolation(page);
  await broken.getByRole("link", { name: "Show in the log" }).click();
  await rows.filter({ hasText: "user 4" }).waitFor({ state: "detached" });
  assert.equal(await rows.count(), 3);
  await broken.getByRole("link", { name: "Open the newest" }).click();
  await page.getByRole("heading", { name: "Attempts", exact: true }).waitFor();
  await page.getByText("<b>500</b> by request 3").waitFor();
});

test("who has no webhook yet chooses between a server and a channel", async (t) => {
  const service = await startPortalService();
  t.after(() => service.stop());
  await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "owner-1" });
  await using page = await openPage(await service.link({ resourceId: "castle" }));
  await page.getByRole("list", { name: "No webhooks yet" }).waitFor();
  await hasNoViolation(page);
  await page.getByRole("link", { name: "Add: A Discord channel" }).click();
  await page.getByLabel("URL").waitFor();
});
