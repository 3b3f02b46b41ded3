import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { useBrowser } from "./use-service.ts";

useBrowser();

test("in a dry run both pages say that nothing is sent, and a ping is refused in words", async (t) => {
  const service = await startPortalService({
    MARKETHOOK_DRY_RUN: "true",
    MARKETHOOK_ALLOW_TARGETS: "",
  });
  t.after(() => service.stop());
  await service.api("PUT", "/resources/castle", { title: "Castle", ownerId: "owner-1" });
  const url = "https://93.184.216.34/hook";
  const { id } = await service.api("POST", "/resources/castle/webhooks", { url });
  await using operator = await openPage(`${service.address}/operator/`);
  await operator.getByLabel("API key").fill(service.apiKey);
  await operator.getByRole("button", { name: "Open" }).click();
  await operator.getByText("Dry run.").waitFor();
  await using owner = await openPage(await service.link());
  await owner.getByText("Dry run.").waitFor();
  await owner.evaluate((webhook) => {
    location.hash = `#/webhooks/${webhook}`;
  }, String(id));
  await owner.getByRole("button", { name: /ping/i }).first().click();
  await owner.getByText("This service sends nothing").waitFor();
});
