import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { service, useSampleOwner } from "./use-service.ts";

let webhooks: { id: string; description: string }[];

useSampleOwner();

before(async () => {
  const { items } = await service.api("GET", "/webhooks");
  webhooks = items as typeof webhooks; // As the API's document says.
});

function pathOf(description: string, tab: string): string {
  const webhook = webhooks.find((one) => one.description === description);
  return `/webhooks/${webhook?.id}?tab=${tab}`;
}

/** What has the focus, if the bar of unsaved changes covers a part of it. */
async function coveredByBar(page: Page): Promise<string | null> {
  return await page.evaluate(() => {
    const focused = document.activeElement;
    const bar = document.querySelector("[data-dirty]");
    if (focused === null || bar === null || focused === document.body) return null;
    if (bar.contains(focused)) return null;
    const { top, bottom } = focused.getBoundingClientRect();
    const over = bar.getBoundingClientRect();
    const isCovered = bottom > over.top && top < over.bottom;
    return isCovered ? focused.outerHTML.slice(0, 200) : null;
  });
}

test("with letters of twice the size the bar of unsaved changes does not cover what is written", async () => {
  const path = pathOf("Sales in our Discord", "messages");
  await using page = await openPage(await service.link({ path }), {
    viewport: { width: 390, height: 844 },
  });
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  await title.waitFor();
  // As a phone's own setting does it, which no media query knows.
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  await title.fill("{buyer} bought it");
  await page.getByText("You have unsaved changes.").waitFor();
  await page.locator("[data-dirty][data-tall]").waitFor();
  await title.focus();
  assert.equal(await coveredByBar(page), null);
});

for (const [width, height, lang, title] of [
  [1280, 720, "en", "Title"],
  [640, 400, "en", "Title"],
  // Where the bar is highest.
  [360, 640, "de", "Titel"],
  [360, 330, "en", "Title"],
  [320, 256, "en", "Title"],
] as const) {
  test(`the bar of unsaved changes covers nothing that has the focus, ${width} × ${height}`, async () => {
    const path = pathOf("Sales in our Discord", "messages");
    const link = `${await service.link({ path })}&lang=${lang}`;
    await using page = await openPage(link, { viewport: { width, height } });
    await page.getByRole("textbox", { name: title, exact: true }).fill("{nobody} bought it");
    await page.locator("[data-dirty]").waitFor();
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let steps = 0; steps < 40; steps += 1) {
        await page.keyboard.press(key);
        assert.equal(await coveredByBar(page), null);
      }
    }
  });
}

/** Buttons and choices of which a part is cut off, or to which one has to scroll sideways. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const cut: string[] = [];
    for (const element of document.querySelectorAll("main button, main label, main code")) {
      const { right, width } = element.getBoundingClientRect();
      let frame = element.parentElement;
      while (frame !== null && getComputedStyle(frame).overflowX === "visible") {
        frame = frame.parentElement;
      }
      const end = frame?.getBoundingClientRect().right ?? document.documentElement.clientWidth;
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.matches("button");
      if (width > 0 && (right > end + 1 || isCut)) cut.push(element.textContent);
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) cut.push(`The page is ${scrollWidth} wide.`);
    return cut;
  });
}

for (const [width, size, lang] of [
  [320, "100%", "en"],
  [360, "200%", "en"],
  [360, "200%", "de"],
] as const) {
  test(`nothing is cut off, and nothing is scrolled sideways to, at ${width} px with text of ${size}, lang=${lang}`, async () => {
    const { items } = await service.api(
      "GET",
      "/deliveries?resourceId=castle&state=pending&limit=1",
    );
    const [delivery] = items as { id: string }[];
    const bot = "Bot of the small server";
    const pages = {
      settings: pathOf(bot, "settings"),
      secret: pathOf(bot, "secret"),
      verify: pathOf(bot, "verify"),
      messages: pathOf("Sales in our Discord", "messages"),
      delivery: `/deliveries/${delivery?.id}`,
    };
    for (const [name, path] of Object.entries(pages)) {
      const link = `${await service.link({ path })}&lang=${lang}`;
      await using page = await openPage(link, { viewport: { width, height: 640 } });
      await page.locator("main h2").nth(1).waitFor();
      await page.evaluate((text) => {
        document.documentElement.style.fontSize = text;
      }, size);
      assert.deepEqual(await cutOff(page), [], name);
      if (name !== "delivery") continue;
      const attempt = page.locator("main h3").getByText(/^(Your server|Ihr Server)/);
      const box = await attempt.first().boundingBox();
      assert.ok(box !== null && box.width > 90, `the words of an attempt have ${box?.width} px`);
    }
  });
}

for (const width of [1280, 360]) {
  test(`in the log no text reaches into another one at ${width} px with text of 200%`, async () => {
    const viewport = { width, height: 800 };
    const link = await service.link({ path: "/deliveries" });
    await using page = await openPage(link, { viewport });
    const rows = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");
    await page.addInitScript(() => {
      addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.fontSize = "200%";
      });
    });
    await page.reload();
    await rows.filter({ hasText: "Pending" }).first().waitFor();
    const beyond = await rows.evaluateAll((all) =>
      all.flatMap((row) => {
        const frame = row.getBoundingClientRect();
        return [...row.querySelectorAll("span, time")]
          .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }))
          .filter(({ box }) => box.height > 2 && (box.top < frame.top || box.bottom > frame.bottom))
          .map(({ text }) => text);
      }),
    );
    assert.deepEqual(beyond, []);
    const event = await rows.first().getByText("Purchase").first().boundingBox();
    assert.ok(event !== null && event.width > 90, `the event has ${event?.width} px`);
  });
}
