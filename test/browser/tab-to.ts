import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Presses Tab until what has this name has the focus. Whatever has it meanwhile must be seen to have it. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return null;
      const style = getComputedStyle(element);
      const ring = style.outlineStyle !== "none" || style.boxShadow !== "none";
      const row = element.closest("li");
      const rowRing = row !== null && getComputedStyle(row).outlineStyle !== "none";
      const seen = ring || rowRing || element.matches("input, textarea, select");
      const field = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      const label = element.getAttribute("aria-label") ?? (field ?? element).textContent.trim();
      return { label, seen };
    });
    if (focused === null) continue;
    assert.ok(focused.seen, `no focus ring on ${focused.label}`);
    if (typeof name === "string" ? focused.label === name : name.test(focused.label)) return;
  }
  assert.fail(`${name} is not reached by Tab`);
}
