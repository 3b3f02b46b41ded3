import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { type FramingPage, startFramingPage } from "./framing-page.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

let framing: FramingPage;

before(async () => {
  framing = await startFramingPage();
});
after(async () => await framing.close());

useService(() => ({ MARKETHOOK_EMBED_ORIGINS: framing.origin }));

before(async () => {
  for (const path of ["a", "b", "c"]) {
    await shop.addWebhook("castle", { url: `http://127.0.0.1:9/${path}` });
  }
});

async function openFramed(
  appearance: Readonly<Record<string, string>> = {},
  options: BrowserContextOptions = {},
): Promise<Page> {
  const link = await service.link({
    resourceId: "castle",
    returnUrl: "https://market.example",
  });
  framing.show(`${link}&${new URLSearchParams(appearance).toString()}`);
  return await openPage(framing.origin, options);
}

async function ready(view: FrameLocator): Promise<void> {
  await view.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
  await view.getByRole("link", { name: "http://127.0.0.1:9/…" }).first().waitFor();
}

test("in a frame there is no second header, no second way back and no second theme", async () => {
  await using page = await openFramed();
  const view = page.frameLocator("iframe");
  await ready(view);
  await view.getByRole("navigation", { name: "Pages" }).waitFor();
  assert.equal(await view.getByText("Market", { exact: true }).count(), 0);
  assert.equal(await view.getByRole("link", { name: "Back to your resource" }).count(), 0);
  assert.equal(await view.getByRole("button", { name: /^Theme/ }).count(), 0);
});

test("the page around is told how high the content is, at once and when it changes", async () => {
  await using page = await openFramed();
  const view = page.frameLocator("iframe");
  await ready(view);
  /** The last height that was posted to the page around. */
  const told = async (): Promise<number> => await page.evaluate("window.heights.at(-1) ?? 0");
  const isContent = async (): Promise<boolean> => {
    const shown = await view
      .locator("#root")
      .evaluate((root) => root.getBoundingClientRect().height);
    return (await told()) === Math.ceil(shown);
  };
  await until(isContent, page);
  const before = await told();
  assert.ok(before > 200, String(before));
  await view.getByRole("link", { name: "Add webhook" }).first().click();
  await view.getByRole("heading", { name: "Add a webhook" }).waitFor();
  await until(async () => (await told()) !== before && (await isContent()), page);
});

async function until(holds: () => Promise<boolean>, page: Page): Promise<void> {
  while (!(await holds())) await page.evaluate("new Promise(requestAnimationFrame)");
}

for (const accent of ["#ffe066", "#b5179e", "#0b0c0d"]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`with ${accent} as accent everything can be read in the ${colorScheme} scheme`, async () => {
      const wishes = { accent, radius: "2", font: "Georgia, serif" };
      await using page = await openFramed(wishes, { colorScheme });
      const view = page.frameLocator("iframe");
      await ready(view);
      const button = view.getByRole("link", { name: "Add webhook" }).first();
      const style = await button.evaluate((element) => {
        const { backgroundColor, borderRadius, fontFamily } = getComputedStyle(element);
        return { backgroundColor, borderRadius, fontFamily };
      });
      const parts = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
      assert.deepEqual(style, {
        backgroundColor: `rgb(${parts.join(", ")})`,
        borderRadius: "2px",
        fontFamily: "Georgia, serif",
      });
      await hasNoViolation(page);
    });
  }
}

test("the marketplace's choice of a scheme wins over the system's, and outlasts a reload", async () => {
  await using page = await openFramed({ scheme: "dark" }, { colorScheme: "light" });
  const view = page.frameLocator("iframe");
  await ready(view);
  const scheme = view.locator("html[data-mantine-color-scheme=dark]");
  await scheme.waitFor();
  const inner = page.frames().find((one) => one.url().startsWith(service.address));
  assert.match(inner?.url() ?? "", /\/portal\/#\/$/);
  await inner?.evaluate("location.reload()");
  await ready(view);
  await scheme.waitFor();
});
