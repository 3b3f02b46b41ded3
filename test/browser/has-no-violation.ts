import assert from "node:assert/strict";
import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

interface Look {
  /** Said where it fails; default: the address of what is looked at. */
  where?: string;
  /** Default: all. */
  rules?: string[];
  /** Selectors of what is not looked at. */
  without?: readonly string[];
}

/** Of the rules for accessibility, as the page is now. In a frame, without the marketplace's page around it. */
export async function hasNoViolation(page: Page, look: Look = {}): Promise<void> {
  const frame = page.frames().at(-1) ?? page.mainFrame();
  const { where = frame.url(), rules, without = [] } = look;
  // Once for each document, because it is half a megabyte. There it is a global, `axe`.
  if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(axe.source);
  const options: RunOptions = {
    ...(rules === undefined ? {} : { runOnly: rules }),
    resultTypes: ["violations"],
  };
  const given: [string[], RunOptions] = [[...without], options];
  const { violations } = await frame.evaluate(
    async ([exclude, how]) => await axe.run({ exclude }, how),
    given,
  );
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
