import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { type Picture, takePicture } from "./pixels.ts";
import { service, useSampleOwner } from "./use-service.ts";

useSampleOwner();

/** What something looks like, without the mouse over it. */
async function pictureOf(page: Page, what: Locator): Promise<string> {
  await page.mouse.move(0, 0);
  return (await what.screenshot({ animations: "disabled" })).toString("base64");
}

/** Whether there is a dot or a tick in a field. */
async function isMarked(picture: Picture, field: Locator): Promise<boolean> {
  const { x, y, width, height } = (await field.boundingBox()) ?? assert.fail("It is not shown.");
  const colours = new Set<string>();
  // Without its border.
  for (let across = 4; across < width - 4; across += 1) {
    for (let down = 4; down < height - 4; down += 1) {
      colours.add(picture.at(Math.round(x) + across, Math.round(y) + down).join());
    }
  }
  return colours.size > 1;
}

test("with a contrast theme of Windows one sees what is chosen, and what was sent", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await using page = await openPage(await service.link(), {
      colorScheme,
      forcedColors: "active",
    });
    const graphs = page.getByRole("img", { name: "Last 24 hours" });
    await graphs.nth(3).waitFor();
    const pictures = new Set<string>();
    for (const graph of await graphs.all()) pictures.add(await pictureOf(page, graph));
    assert.ok(pictures.size > 2, `${colorScheme}: graphs`);

    // Each looks different when another one is chosen.
    const marked = page.locator("[aria-current], [aria-selected=true], label[data-active] *");
    const choose = async (what: Locator): Promise<void> => {
      await what.click();
      // A page or a part may have to be loaded first.
      await what.and(marked).waitFor();
    };
    const changes = async (what: Locator, other: Locator): Promise<void> => {
      await choose(what);
      const chosen = await pictureOf(page, what);
      await choose(other);
      assert.notEqual(chosen, await pictureOf(page, what), `${colorScheme}: ${what.toString()}`);
    };
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    await changes(link("Deliveries"), link("Webhooks"));
    await link("Sales in our Discord").click();
    const tab = (name: string) => page.getByRole("tab", { name, exact: true });
    await tab("Messages").click();
    await changes(tab("First download"), tab("Ping"));
    await changes(page.getByText("Dark", { exact: true }), page.getByText("Light"));

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Send many again…" }).click();
    // Counted, the dialog is as high as it will be: in the middle of the window, a line more moves all of it.
    await page.getByRole("dialog").getByText("No delivery fits.").waitFor();
    const picture = await takePicture(page);
    for (const [name, expected] of [
      ["Deliveries again", true],
      ["Events that were never sent here", false],
      ["Failed", true],
      ["Delivered", false],
    ] as const) {
      const field = page.getByRole("dialog").getByLabel(name, { exact: true });
      assert.equal(await isMarked(picture, field), expected, `${colorScheme}: ${name}`);
    }
  }
});
