import type { Page } from "playwright-core";

/**
 * Holds what a page reads of one webhook from now on, so that it does not hear by itself of a change that is made
 * elsewhere: it reads when its stream opens, and every 15 seconds. Returns what lets all of it go.
 */
export async function holdReads(page: Page, webhookId: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(`**/v1/webhooks/${webhookId}`, async (route) => {
    if (route.request().method() === "GET") await released.promise;
    await route.continue();
  });
  return released.resolve;
}
