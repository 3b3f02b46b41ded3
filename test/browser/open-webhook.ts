import type { Locator, Page } from "playwright-core";

/** From the list to the page of its only webhook without a description. */
export async function openWebhook(page: Page): Promise<void> {
  await page
    .getByRole("list", { name: /^Webhooks of/ })
    .getByRole("link", { name: /^http/ })
    .click();
}

export function logRows(page: Page): Locator {
  return page.getByRole("list", { name: "Deliveries" }).getByRole("link");
}
