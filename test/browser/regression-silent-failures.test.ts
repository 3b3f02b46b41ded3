import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

before(async () => {
  const id = await shop.addWebhook("castle");
  await service.api("POST", `/webhooks/${id}/pause`);
  for (let from = 1; from <= 6000; from += 1000) await shop.buy("castle", 1000, from);
});

/** The service refuses what the page asks for there, as while its database is away. Returns how it comes back. */
async function failReads(page: Page, path: RegExp): Promise<() => Promise<void>> {
  await page.route(path, (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      headers: { "retry-after": "0" },
      json: { code: "store_unavailable", title: "t", detail: "d", status: 503, requestId: "r" },
    }),
  );
  return async () => await page.unroute(path);
}

const NO_DATABASE = "The service's database does not answer.";

test("older events that cannot be read are told, and read when it is pressed again", async () => {
  await using page = await openPage(await service.link({ path: "/events" }));
  const rows = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  await rows.nth(49).waitFor();
  const comeBack = await failReads(page, /\/v1\/events\?.*cursor/);
  await page.getByRole("button", { name: "Show older events" }).click();
  await page.getByRole("alert").getByText(NO_DATABASE).waitFor();
  await comeBack();
  await page.getByRole("button", { name: "Show older events" }).click();
  await rows.nth(99).waitFor();
  await page.getByText(NO_DATABASE).waitFor({ state: "detached" });
});

test("a search that finds nothing and cannot go further says so, and the button keeps the focus", async () => {
  await using page = await openPage("about:blank");
  // Its messages would make the page read the log again, at any moment.
  await page.route("**/v1/deliveries/stream*", (route) => route.abort());
  await page.goto(await service.link({ path: "/deliveries?search=nowhere" }));
  const further = page.getByRole("button", { name: "Search further" });
  await further.waitFor();
  const comeBack = await failReads(page, /\/v1\/deliveries\?.*cursor/);
  await further.press("Enter");
  await page.getByRole("alert").getByText(NO_DATABASE).waitFor();
  await page.locator(":focus").and(further).waitFor();
  await comeBack();
  await page.keyboard.press("Enter");
  await page.getByText(NO_DATABASE).waitFor({ state: "detached" });
});

test("a log that could not be read is read as soon as the page is live again", async () => {
  await using page = await openPage("about:blank");
  const streams = Promise.withResolvers<void>();
  await page.route("**/v1/deliveries/stream*", async (route) => {
    // The first one breaks at once.
    await streams.promise;
    await route.continue();
  });
  await page.route("**/v1/deliveries/stream*", (route) => route.abort(), { times: 1 });
  const comeBack = await failReads(page, /\/v1\/deliveries\?/);
  await page.goto(await service.link({ path: "/deliveries" }));
  await page.getByRole("alert").getByText(NO_DATABASE).waitFor();
  await comeBack();
  streams.resolve();
  await page.getByRole("list", { name: "Deliveries" }).getByRole("link").first().waitFor();
});
