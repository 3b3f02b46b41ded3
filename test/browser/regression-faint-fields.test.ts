import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { contrast } from "../../packages/ui/src/app/appearance.ts";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

useService();

before(async () => {
  await service.api("PUT", "/resources/castle", { title: "Castle", ownerId: "owner-1" });
});

/** The form in which each kind of field stands. */
async function openForm(page: Page): Promise<void> {
  await page.goto(await service.link({ resourceId: "castle", path: "/add" }));
  await page.getByRole("radio", { name: "Chosen events" }).check();
  await page.getByRole("checkbox", { name: "Purchase product.user.purchase" }).waitFor();
}

const SEEN_FROM = 3;

for (const colorScheme of ["light", "dark"] as const) {
  test(`the borders of fields, and the ring of the one that has the focus, are seen, ${colorScheme}`, async () => {
    await using page = await openPage("about:blank", { colorScheme });
    await openForm(page);
    const fields = await page.locator("form input:not(:checked)").all();
    assert.ok(fields.length > 6);
    for (const field of fields) {
      const { border, ground } = await coloursOf(field);
      assert.ok(contrast(border, ground) >= SEEN_FROM, `${border} on ${ground}`);
    }
    await page.getByLabel("URL", { exact: true }).focus();
    for (const _ of fields) {
      const { ring, ground } = await coloursOf(page.locator(":focus"));
      assert.ok(ring !== null && contrast(ring, ground) >= SEEN_FROM, `${ring} on ${ground}`);
      await page.keyboard.press("Tab");
    }
  });
}

type Colours = { border: string; ring: string | null; ground: string };

/** As hexadecimal numbers; null: it has no ring. The ground is what stands around the field. */
async function coloursOf(field: ReturnType<Page["locator"]>): Promise<Colours> {
  return await field.evaluate((element) => {
    const hex = (colour: string): string =>
      `#${(colour.match(/\d+/g) ?? [])
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, "0"))
        .join("")}`;
    const { borderTopColor, outlineStyle, outlineColor, outlineWidth } = getComputedStyle(element);
    let around = element.parentElement;
    while (around !== null && getComputedStyle(around).backgroundColor === "rgba(0, 0, 0, 0)") {
      around = around.parentElement;
    }
    const hasRing = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    return {
      border: hex(borderTopColor),
      ring: hasRing ? hex(outlineColor) : null,
      ground: hex(getComputedStyle(around ?? document.documentElement).backgroundColor),
    };
  });
}
