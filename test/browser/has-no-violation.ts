import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

interface Look {
  /** Said where it fails; default: the page's address. */
  where?: string;
  /** Default: all. */
  rules?: string[];
  /** Selectors of what is not looked at. */
  without?: readonly string[];
}

/** Of the rules for accessibility, as the page is now. */
export async function hasNoViolation(page: Page, look: Look = {}): Promise<void> {
  const { where = page.url(), rules, without = [] } = look;
  // Without its second page, which is for frames of other origins: there is none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (rules !== undefined) axe.withRules(rules);
  for (const selector of without) axe.exclude(selector);
  const { violations } = await axe.analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    [],
    where,
  );
}

/** In light by all rules, in dark by the one for colours, because all else is the same. */
export async function hasNoViolationInAnyLight(page: Page, look: Look = {}): Promise<void> {
  await hasNoViolation(page, look);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => {
    const scheme = document.documentElement.dataset["mantineColorScheme"];
    return scheme === undefined || scheme === "dark";
  });
  const where = `${look.where ?? page.url()}, dark`;
  await hasNoViolation(page, { ...look, where, rules: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: "light" });
}
