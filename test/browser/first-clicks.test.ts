import assert from "node:assert/strict";
import { test } from "node:test";
import { startDevelopmentProcess } from "../development-process.ts";
import { sqlitePlace } from "../places.ts";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";

test("from the page that npm start opens on, a signed request is seen after at most four clicks", async (t) => {
  const place = await sqlitePlace();
  const run = await startDevelopmentProcess(place.env);
  const browser = await startBrowser();
  t.after(async () => {
    await browser.close();
    await run.stop();
    await place.drop();
  });
  await using opened = await openPage(browser, run.page);
  const { page } = opened;
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
