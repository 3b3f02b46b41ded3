import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { logRows, openWebhook } from "./open-webhook.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

useService();

/** The heading that has the focus, once one has it. */
async function focusedHeading(page: Page): Promise<string> {
  const heading = page.locator("h1:focus, h2:focus, h3:focus");
  await heading.waitFor();
  return (await heading.textContent()) ?? "";
}

test("where a pressed button goes away, its panel's or its dialog's heading has the focus", async () => {
  await shop.addWebhook("buttons");
  await shop.sell("buttons", 2);
  await shop.untilStored("buttons", "delivered", 2);
  await using page = await openPage(await service.link({ resourceId: "buttons" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Secret" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).focus();
  await page.keyboard.press("Enter");
  assert.match(await focusedHeading(page), /secret/i);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Send many again…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Delivered" }).check();
  await dialog.getByRole("button", { name: "Send 2 again" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("2 sent.").waitFor();
  await focusedHeading(page);
  assert.equal(await dialog.locator(":focus").count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await dialog.locator(":focus").count(), 1, "Tab stays in the dialog");
});

test("where a pressed button goes away while the reader looks at another window, its heading has the focus", async () => {
  await shop.addWebhook("away");
  await using page = await openPage(await service.link({ resourceId: "away" }));
  await openWebhook(page);
  await page.getByRole("tab", { name: "Secret" }).click();
  const button = page.getByRole("button", { name: "Make a new secret" });
  await button.focus();
  await button.evaluate(async (element) => {
    // All that a document hears: its control stays the active one.
    element.dispatchEvent(new FocusEvent("focusout", { bubbles: true, composed: true }));
    await new Promise((seen) => setTimeout(seen, 0));
    element.remove();
  });
  assert.match(await focusedHeading(page), /secret/i);
});

test("what a reader clicked away from takes no focus back", async () => {
  await using page = await openPage(await service.link());
  await page.getByRole("link", { name: "Add webhook" }).focus();
  await page.mouse.click(5, 300);
  await page.evaluate(async () => {
    document.querySelector("a[href$='#/add']")?.remove();
    // Ends after what was planned at the removal, which waits for a shorter time.
    await new Promise((over) => setTimeout(over, 200));
  });
  assert.equal(await page.getByRole("link", { name: "Add webhook" }).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
});

test("the end of a session has the focus and the page's title", async () => {
  const { url, id } = (await service.api("POST", "/portal-sessions", { ownerId: "owner-1" })) as {
    url: string;
    id: string;
  };
  await using page = await openPage(url);
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("https://bot.exam");
  await service.api("DELETE", `/portal-sessions/${id}`);
  // Into what has the focus: the page may hear of the end by itself before the field is looked for.
  await page.keyboard.type("ple/hook");
  assert.match(await focusedHeading(page), /session/);
  assert.match(await page.title(), /session/);
});

for (const [by, hasTouch] of [
  ["click", false],
  ["tap", true],
] as const) {
  test(`a double ${by} on Send again sends once`, async () => {
    const id = `double-${by}`;
    await shop.addWebhook(id);
    await shop.sell(id, 1);
    await using page = await openPage(await service.link({ resourceId: id }), {
      hasTouch,
      viewport: { width: 1200, height: 800 },
    });
    await page.getByRole("link", { name: "Deliveries" }).click();
    await logRows(page).first().click();
    // Pressed before it is known whether it has to ask, it does nothing.
    const button = page.getByRole("button", { name: "Send again", disabled: false });
    await freezeTime(page);
    const box = await button.boundingBox();
    assert.ok(box !== null);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    const press = async (clickCount: number): Promise<void> => {
      if (hasTouch) return await page.touchscreen.tap(x, y);
      await page.mouse.move(x, y);
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
    };
    const before = page.url();
    await press(1);
    await page.waitForURL((url) => url.href !== before);
    // Of the new delivery, at the same place.
    await button.waitFor();
    await press(2);
    await page.evaluate(async () => await new Promise((seen) => requestAnimationFrame(seen)));
    assert.equal(sent.length, 1, sent.join());
  });
}

/** The second press comes within the time of a double one, however long the machine takes to show the new delivery. */
async function freezeTime(page: Page): Promise<void> {
  await page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
    Object.defineProperty(Event.prototype, "timeStamp", { get: () => now });
  });
}

test("the row that the arrow goes up to is not under the names of the columns", async () => {
  await shop.addWebhook("rows");
  await shop.sell("rows", 60);
  await using page = await openPage(await service.link({ resourceId: "rows" }), {
    viewport: { width: 1200, height: 600 },
  });
  await page.getByRole("link", { name: "Deliveries" }).click();
  await logRows(page).first().focus();
  for (let down = 0; down < 25; down += 1) await page.keyboard.press("ArrowDown");
  for (let up = 0; up < 14; up += 1) {
    await page.keyboard.press("ArrowUp");
    const covered = await page.evaluate(() => {
      const row = document.activeElement?.getBoundingClientRect();
      if (row === undefined) return "nothing";
      const top = document.elementFromPoint(row.left + row.width / 2, row.top + 2);
      return document.activeElement?.contains(top) === true ? "" : (top?.className ?? "nothing");
    });
    assert.equal(covered, "", `after ${up + 1} steps up`);
  }
});
