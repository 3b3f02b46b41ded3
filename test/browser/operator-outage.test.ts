import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

useService();

test("in an outage the operator's page asks again by itself, and Try again keeps the focus meanwhile", async () => {
  await using page = await openPage(`${service.address}/operator/`);
  let asked = 0;
  const askedOften = Promise.withResolvers<undefined>();
  await page.route("**/v1/operator", async (route) => {
    asked += 1;
    // By then the third refusal was shown.
    if (asked === 4) askedOften.resolve(undefined);
    await route.fulfill({ status: 500, json: { code: "store_unavailable" } });
  });
  await page.getByLabel("API key").fill(service.apiKey);
  await page.getByRole("button", { name: "Open" }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.focus();
  await askedOften.promise;
  assert.ok(await again.evaluate((button) => button === document.activeElement));
  await page.unroute("**/v1/operator");
  await page.getByText("Due now", { exact: true }).waitFor();
});
