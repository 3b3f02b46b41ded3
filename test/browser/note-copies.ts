import type { Page } from "playwright-core";

/**
 * What a page has copied last, from now on; empty: nothing. The clipboard is one for the whole browser, in which the
 * pages of other tests copy too, so what is read from it may be theirs.
 */
export async function noteCopies(page: Page): Promise<() => Promise<string>> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = async (text) => {
      await write(text);
      document.body.dataset["copied"] = text;
    };
  });
  return async () => await page.evaluate(() => document.body.dataset["copied"] ?? "");
}

/** Presses a button that copies, and waits until it says so. It says so only for a moment, so the wait begins first. */
export async function pressCopy(page: Page, name: string, copied: string): Promise<void> {
  await Promise.all([
    page.getByRole("button", { name: copied }).waitFor(),
    page.getByRole("button", { name }).click(),
  ]);
}
