import type { Page } from "playwright-core";

/** Counts clicks on this page from now on; asked, it tells how many. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    let clicks = 0;
    addEventListener("click", (event) => {
      // A label's click is told again by its field.
      if (event.detail > 0) clicks += 1;
      document.body.dataset["clicks"] = String(clicks);
    });
  });
  return async () => Number(await page.evaluate(() => document.body.dataset["clicks"] ?? "0"));
}
