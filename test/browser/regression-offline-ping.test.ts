import { test } from "node:test";
import { openPage, skipsWithoutNetwork } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

test("a ping that could not be sent offline is no longer told when the network is back", async (t) => {
  const id = await shop.addWebhook("castle", { url: "http://127.0.0.1:9/hooks" });
  const link = await service.link({ path: `/webhooks/${id}` });
  await using page = await openPage(link);
  if (await skipsWithoutNetwork(t, page)) return;
  const ping = page.getByRole("button", { name: "Ping", exact: true });
  await ping.waitFor();
  await page.context().setOffline(true);
  await page.getByText("You are offline").waitFor();
  await ping.click();
  const failure = page.getByText("The service cannot be reached");
  await failure.waitFor();
  await page.context().setOffline(false);
  await failure.waitFor({ state: "detached" });
});
