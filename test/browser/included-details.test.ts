import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { receiver, useBrowser } from "./use-service.ts";

useBrowser();

const DETAILS = { buyerName: "Jö", amount: 4.5, orderId: "88213" };
const DISCORD = `https://discord.com/api/webhooks/112233445566778899/tok-${"x".repeat(60)}_end`;

for (const [name, makePlace] of PAGE_PLACES) {
  test(`an owner has order details sent along, and sees them in the request, on ${name}`, async (t) => {
    const service = await startPortalService({}, makePlace);
    t.after(() => service.stop());
    await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "owner-1" });
    const { id } = await service.api("POST", "/resources/castle/webhooks", { url: receiver.url });
    await using page = await openPage(
      await service.link({ resourceId: "castle", path: `/webhooks/${String(id)}` }),
    );
    await page.getByRole("tab", { name: "Settings" }).click();
    const choice = page.getByRole("checkbox", { name: "Send order details along" });
    assert.equal(await choice.isChecked(), false);
    await choice.check();
    await hasNoViolation(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();

    const before = receiver.requests.length;
    await service.api("POST", "/resources/castle/events", {
      event: "product.user.purchase",
      user: { id: 4711 },
      details: DETAILS,
    });
    await receiver.answered(before + 1);
    const sent = receiver.requests[before]?.body ?? "";
    assert.ok(sent.endsWith(`"user":{"id":4711},"details":${JSON.stringify(DETAILS)}}}`), sent);

    await page.getByRole("tab", { name: "Deliveries" }).click();
    await page
      .getByRole("list", { name: "Deliveries" })
      .getByRole("link")
      .filter({ hasText: "Delivered" })
      .click();
    await page.getByText("Exact", { exact: true }).first().click();
    await page.getByText(sent, { exact: true }).waitFor();
  });
}

test("a chat's form has no such choice, and a sample shows made-up details once they are chosen", async (t) => {
  const service = await startPortalService();
  t.after(() => service.stop());
  await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "1001" });
  const link = await service.link({ ownerId: "1001", resourceId: "castle", path: "/add" });
  await using page = await openPage(link);
  const choice = page.getByRole("checkbox", { name: "Send order details along" });
  await choice.check();
  await page.getByRole("radio", { name: "Chosen events" }).check();
  await page.getByRole("button", { name: "Show the body of Purchase", exact: true }).click();
  await page.getByText('"buyerName"').waitFor();
  await page.getByLabel("URL", { exact: true }).fill(DISCORD);
  await choice.waitFor({ state: "detached" });
});
