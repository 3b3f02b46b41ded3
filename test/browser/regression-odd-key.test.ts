import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

useService();

test("an operator's key that no request can carry is refused, and characters that nobody sees are no part of one", async () => {
  await using page = await openPage(`${service.address}/operator/`);
  const enter = async (key: string): Promise<void> => {
    await page.getByLabel("API key", { exact: true }).fill(key);
    await page.getByRole("button", { name: "Open", exact: true }).click();
  };
  for (const key of ["mh_…", "Schlüssel", "mh_1 mh_2"]) {
    await enter(key);
    await page.getByText("This key is not accepted").waitFor();
  }
  await enter(`\u200b${service.apiKey}\u2060`);
  await page.getByText("Refreshed every two seconds.").waitFor();
});
