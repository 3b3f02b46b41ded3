import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { receiver, useBrowser } from "./use-service.ts";

useBrowser();

for (const [name, makePlace] of PAGE_PLACES) {
  test(`an owner sees the body of an event and sends it with the own id as a sample, on ${name}`, async (t) => {
    const service = await startPortalService({}, makePlace);
    t.after(() => service.stop());
    await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "owner-1" });
    const { id } = await service.api("POST", "/resources/castle/webhooks", { url: receiver.url });
    await using page = await openPage(
      await service.link({ resourceId: "castle", path: `/webhooks/${String(id)}` }),
    );
    await page.getByRole("button", { name: "Sample…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send a sample" });
    await dialog.getByText("X-Market-Sample: 1").waitFor();
    await dialog.getByLabel("User id").fill("4711");
    await dialog.getByText('"id": 4711').waitFor();
    await hasNoViolation(page);
    const before = receiver.requests.length;
    await dialog.getByRole("button", { name: "Send sample" }).click();
    await dialog.getByText("Your server accepted it with 200").waitFor();
    const [request] = receiver.requests.slice(before);
    assert.equal(request?.headers["x-market-sample"], "1");
    assert.match(
      request?.body ?? "",
      /^\{"event":"product\.user\.purchase",.*"user":\{"id":4711\}/,
    );
    await dialog.getByLabel("Event").selectOption("Update posted");
    await dialog.getByText('"1.0-sample"').waitFor();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await page.getByText("Nothing sent yet").waitFor();
  });
}
