import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openPage } from "./open-page.ts";
import { logRows } from "./open-webhook.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

before(async () => {
  await shop.addWebhook("castle", { url: "http://127.0.0.1:9/x" });
  await shop.buy("castle", 1, 4711);
});

test("while the year of a time is typed, the log shows rows and no error", async () => {
  await using page = await openPage(await service.link({ path: "/deliveries" }));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const time = page.getByLabel("Time", { exact: true });
  await time.selectOption("Last day");
  await time.selectOption("From … to …");
  const from = page.getByLabel("From", { exact: true });
  const before = await from.inputValue();
  await from.focus();
  // From month and day to the year.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  for (const digit of before.slice(0, 4)) {
    await page.keyboard.type(digit);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    await logRows(page).filter({ hasText: "user 4711" }).waitFor();
  }
  assert.equal(await from.inputValue(), before);
  assert.deepEqual(
    asked.filter((url) => url.includes("from=-")),
    [],
  );
});

for (const [what, query] of [
  ["a mail's", "utm_source=mail"],
  ["no known", "state=lost&status=9999"],
] as const) {
  test(`a link to the log with ${what} parameter narrows nothing and shows the log`, async () => {
    const link = await service.link({ path: `/deliveries?${query}` });
    await using open = await openPage(link);
    await logRows(open).filter({ hasText: "user 4711" }).waitFor();
    assert.equal(await open.getByRole("alert").count(), 0);
  });
}
