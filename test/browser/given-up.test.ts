import { test, type TestContext } from "node:test";
import { execute } from "@markethook/store/testing/postgres";
import { PAGE_PLACES, type Place, postgresPlace } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";
import { receiver, useBrowser } from "./use-service.ts";

/** Nobody listens there. */
const REFUSED = "http://127.0.0.1:1/hooks";
/** One level above the highest at which a suspect is still sent with others. */
const SET_APART = "update pending set suspicion = 11 where seq > 0";

useBrowser();

/** A resource whose only webhook leads nowhere, and its page. `sell` reports a purchase. */
async function openCastle(t: TestContext, place: Place, schedule: string) {
  const service = await startPortalService(
    { MARKETHOOK_RETRY_SCHEDULE: schedule },
    async () => place,
  );
  t.after(() => service.stop());
  const shop = openShop(service, receiver);
  await shop.addWebhook("castle", { url: REFUSED });
  const open = await openPage(await service.link({ resourceId: "castle" }));
  const sell = (user: number) => shop.buy("castle", 1, user);
  return { open, sell };
}

for (const [name, makePlace] of PAGE_PLACES) {
  test(`deliveries that were given up are counted on the webhook's page, and shown by one click, on ${name}`, async (t) => {
    const { open, sell } = await openCastle(t, await makePlace(), "100ms");
    await using page = open;
    await page.locator('main a[href*="/webhooks/wh_"]').first().click();
    await sell(7);
    await page.getByText("A delivery was given up").waitFor();
    await page.getByText(/Since [^:]+:\d\d[^:]*\. It is not sent again unless you do\./).waitFor();
    await sell(8);
    await page.getByText("2 deliveries were given up").waitFor();
    await page.getByRole("link", { name: "Show failed deliveries" }).click();
    await page
      .getByRole("list", { name: "Deliveries" })
      .getByRole("link", { name: /Failed.*user 8/ })
      .waitFor();
    // It is far below the button, and comes up to where it is seen.
    await page.waitForFunction(() => {
      const filters = document.querySelector('[role="search"]')?.getBoundingClientRect();
      return filters !== undefined && filters.top >= 0 && filters.bottom <= innerHeight;
    });
    await page.locator("section:focus").getByRole("search").waitFor();
    await hasNoViolation(page);
    await page.getByRole("button", { name: "Send them again…" }).click();
    await page.getByText("2 deliveries fit.").waitFor();
    await hasNoViolation(page);
    await page.getByRole("button", { name: "Send 2 again" }).click();
    await page.getByRole("heading", { name: "Sent", exact: true }).waitFor();
    await page.getByText("2 sent.").waitFor();
  });
}

test("a delivery that ended every process that sent it says so, when it is tried next, and can be sent now", async (t) => {
  const place = await postgresPlace();
  const { open, sell } = await openCastle(t, place, "1h");
  await using page = open;
  await sell(7);
  await page.locator('main a[href*="/webhooks/wh_"]').first().click();
  const delivery = page
    .getByRole("list", { name: "Deliveries" })
    .getByRole("link", { name: /Pending.*user 7/ });
  await delivery.waitFor();
  await page.getByText("Connection refused").first().waitFor();
  await execute(place.url, SET_APART);
  await delivery.click();
  await page
    .getByText("The service ended each time it sent this; it is sent alone, and later.")
    .waitFor();
  await page.getByText("Next attempt").waitFor();
  await page.getByRole("button", { name: "Send now" }).waitFor();
  await hasNoViolation(page);
});
