import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { useBrowser } from "./use-service.ts";

useBrowser();

test("a service that holds what it would send says so on both pages, and refuses a ping in words", async (t) => {
  const held = await startPortalService({
    MARKETHOOK_DRY_RUN: "true",
    MARKETHOOK_ALLOW_TARGETS: "",
  });
  t.after(() => held.stop());
  await held.api("PUT", "/resources/castle", { title: "Castle", ownerId: "owner-1" });
  const url = "https://93.184.216.34/hook";
  const { id } = await held.api("POST", "/resources/castle/webhooks", { url });
  await using operator = await openPage(`${held.address}/operator/`);
  await operator.getByLabel("API key").fill(held.apiKey);
  await operator.getByRole("button", { name: "Open" }).click();
  await operator.getByText("Dry run.").waitFor();
  await using owner = await openPage(await held.link());
  await owner.getByText("Dry run.").waitFor();
  await owner.evaluate((webhook) => {
    location.hash = `#/webhooks/${webhook}`;
  }, String(id));
  await owner.getByRole("button", { name: /ping/i }).first().click();
  await owner.getByText("This service sends nothing").waitFor();
});
