import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService({ MARKETHOOK_RETRY_SCHEDULE: "1h,1h" });

/** The page of a webhook for which two deliveries wait. */
async function openWaiting(resourceId: string): ReturnType<typeof openPage> {
  const webhook = await shop.addWaiting(resourceId);
  return await openPage(await service.link({ path: `/webhooks/${webhook}` }));
}

/** What is made due while the page looks is on its way, and not sent, though the look that is under way counts none of it. */
test("nothing is said to be sent by a look that began before it was made due", async () => {
  await using page = await openWaiting("castle");
  const [asked, counted, lookedAgain] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  let isAsked = false;
  let looks = 0;
  await page.route("**/send-waiting", async (route) => {
    if (route.request().postData()?.includes("dryRun") !== true) {
      isAsked = true;
      await counted.promise;
      const response = await route.fetch();
      await route.fulfill({ response });
      asked.resolve();
      return;
    }
    // Those before count what waits.
    if (!isAsked) return await route.continue();
    looks += 1;
    if (looks > 1) return lookedAgain.resolve();
    const response = await route.fetch();
    counted.resolve();
    await asked.promise;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Send 2 now" }).click();
  await lookedAgain.promise;
  await page.getByText("0 of 2 sent").waitFor();
  assert.equal(await page.getByText("2 of 2 sent").count(), 0);
});

test("that the page lost sight of what it sends is not said to be a stop of it", async () => {
  await using page = await openWaiting("tower");
  let isMade = false;
  await page.route("**/send-waiting", async (route) => {
    const isLook = route.request().postData()?.includes("dryRun") === true;
    // Those before count what waits.
    if (!isLook) isMade = true;
    else if (isMade) return await route.abort();
    await route.continue();
  });
  await page.getByRole("button", { name: "Send 2 now" }).click();
  await page.getByText("The service cannot be reached").waitFor();
  await page.getByText(/of 2 (was|were) sent; deliveries already begun are still sent\./).waitFor();
  assert.equal(await page.getByText("as before").count(), 0);
});
