import assert from "node:assert/strict";
import { test } from "node:test";
import { startDevelopmentProcess } from "../development-process.ts";
import { sqlitePlace } from "../places.ts";
import { openPage } from "./open-page.ts";
import { useBrowser } from "./use-service.ts";

useBrowser();

test("from the page that npm start opens on, a signed request is seen after at most four clicks", async (t) => {
  const place = await sqlitePlace();
  const run = await startDevelopmentProcess(place.env);
  t.after(async () => {
    await run.stop();
    await place.drop();
  });
  await using page = await openPage(run.page);
  const inFrame = page.frameLocator("iframe");
  const clicks = [
    page.getByRole("link", { name: "Webhooks" }),
    inFrame
      .getByRole("list", { name: /^Webhooks of/ })
      .getByRole("link")
      .first(),
    inFrame.getByRole("button", { name: "Ping" }).first(),
  ];
  assert.ok(clicks.length <= 4);
  for (const target of clicks) await target.click();
  await inFrame.getByText("X-Service-Signature:").first().waitFor();
  await run.printed(/^receiver: verified ping of “Sample Plugin”/);
});
