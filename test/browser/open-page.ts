import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { browser } from "./use-service.ts";

/** Longer than anything here takes, also on a machine with much other work; a failed expectation costs no more than this. */
const TIMEOUT_MS = 60_000;

/** A page in a context of its own. Disposing of it fails if anything went wrong in it unnoticed. */
export async function openPage(
  url: string,
  options: BrowserContextOptions & { mayFail?: boolean } = {},
): Promise<Page> {
  const { mayFail = false, ...rest } = options;
  const context = await browser.newContext({ reducedMotion: "reduce", ...rest });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    // The browser says so of every answer that is a refusal, which the page handles.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) faults.push(message.text());
  });
  await page.goto(url);
  return Object.assign(page, {
    async [Symbol.asyncDispose]() {
      await context.close();
      if (!mayFail) assert.deepEqual(faults, []);
    },
  });
}

/** As when somebody comes back to the tab. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() =>
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
  );
}

/** Skips a test in which the browser loses the network, on a machine that has none to lose. Returns whether it did. */
export async function skipsWithoutNetwork(t: TestContext, page: Page): Promise<boolean> {
  const online = await page.evaluate(() => navigator.onLine);
  if (!online) t.skip("this machine has no network");
  return !online;
}
