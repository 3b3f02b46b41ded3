import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { type FramingPage, startFramingPage } from "./framing-page.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { type Picture, takePicture } from "./pixels.ts";
import { service, shop, useService } from "./use-service.ts";

/** How much of the page's light the dark layer of a dialog lets through. */
const THROUGH = 0.55;
/** Points between two that are looked at, each way. */
const STEP = 4;
/** Around a dialog, where its shadow falls. */
const SHADOW = 60;

let framing: FramingPage;

before(async () => {
  framing = await startFramingPage();
});
after(async () => await framing.close());

useService(() => ({ MARKETHOOK_EMBED_ORIGINS: framing.origin }));

before(async () => {
  for (const path of ["a", "b", "c", "d"]) {
    const url = `http://127.0.0.1:9/${path}`;
    await shop.addWebhook("castle", { url, description: `Bot ${path}` });
  }
});

const DESKTOP = { width: 1200, height: 860 };
const PHONE = { width: 375, height: 760 };

const LOOKS: [name: string, options: BrowserContextOptions, framed: boolean][] = [
  ["light", { colorScheme: "light", viewport: DESKTOP }, false],
  ["dark", { colorScheme: "dark", viewport: DESKTOP }, false],
  ["at a phone's width", { colorScheme: "light", viewport: PHONE }, false],
  ["dark at a phone's width", { colorScheme: "dark", viewport: PHONE }, false],
  ["in a frame of the marketplace", { colorScheme: "light", viewport: DESKTOP }, true],
];

for (const [name, options, framed] of LOOKS) {
  test(`behind a dialog the page stays visible, ${name}`, async () => {
    const link = await service.link();
    framing.show(link);
    await using page = await openPage(framed ? framing.origin : link, options);
    const view: Page | FrameLocator = framed ? page.frameLocator("iframe") : page;
    await view.getByText("Bot d").waitFor();
    await view
      .getByRole("button", { name: /^Delete/ })
      .first()
      .focus();
    const before = await takePicture(page);
    await page.keyboard.press("Enter");
    const dialog = view.getByRole("dialog");
    await dialog.getByText("This cannot be undone").waitFor();
    const box = await dialog.boundingBox();
    assert.ok(box !== null);
    const behind = await takePicture(page);

    assert.ok(box.height < before.height * 0.7, `the dialog is ${box.height} points high`);
    const { seen, all } = shining(before, behind, box);
    assert.ok(seen > all * 0.95, `${seen} of ${all} points of the page shine through`);
    await hasNoViolation(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
}

test("the focus comes back from a dialog to what opened it, also to the button of a menu", async () => {
  const { items } = await service.api("GET", "/webhooks");
  const [webhook] = items as { id: string }[];
  await using page = await openPage(await service.link({ path: `/webhooks/${webhook?.id}` }));
  const closesTo = async (name: string): Promise<void> => {
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name, exact: true }).and(page.locator(":focus")).waitFor();
  };
  await page.getByRole("button", { name: "Pause" }).focus();
  await page.keyboard.press("Enter");
  await closesTo("Pause");
  for (const item of ["Send many again…", "Copy to my other resources…", "Delete…"]) {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await closesTo("More");
  }
});

test("a row that was deleted leaves the focus at the heading of its page", async () => {
  await using page = await openPage(await service.link());
  await page.getByRole("button", { name: "Delete Bot d" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Webhook deleted.").waitFor();
  await page.getByRole("heading", { level: 1 }).and(page.locator(":focus")).waitFor();
});

/** Of the points outside the dialog that are not just the page's ground: how many are there, only darker. */
function shining(
  before: Picture,
  behind: Picture,
  box: { x: number; y: number; width: number; height: number },
) {
  const ground = before.at(2, before.height - 2);
  let all = 0;
  let seen = 0;
  for (let y = 0; y < before.height; y += STEP) {
    for (let x = 0; x < before.width; x += STEP) {
      const isAside =
        x < box.x - SHADOW ||
        x > box.x + box.width + SHADOW ||
        y < box.y - SHADOW ||
        y > box.y + box.height + SHADOW;
      const was = before.at(x, y);
      if (!isAside || distance(was, ground) < 24) continue;
      all += 1;
      const dimmed = was.map((part) => part * THROUGH);
      if (distance(dimmed, behind.at(x, y)) < 12) seen += 1;
    }
  }
  assert.ok(all > 50, `${all} points are too few to judge`);
  return { seen, all };
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((part, index) => Math.abs(part - (other[index] ?? 0))));
}

test("a dialog that is opened again says nothing of what failed the last time", async () => {
  await using page = await openPage(await service.link());
  await page.route(/\/pause$/, async (route) => await route.abort());
  await page.getByRole("link", { name: "Bot a", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Pause this webhook?" });
  const pause = page.getByRole("button", { name: "Pause", exact: true });
  await pause.click();
  await dialog.getByRole("button", { name: "Pause" }).click();
  await dialog.getByText("The service cannot be reached").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await pause.click();
  await dialog.getByText("Events go on being recorded").waitFor();
  assert.equal(await dialog.getByText("The service cannot be reached").count(), 0);
});
