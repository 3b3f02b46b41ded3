import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { createClient } from "@markethook/client";
import { type Marketplace, startMarketplace } from "@markethook/marketplace";
import { shownUrl } from "@markethook/protocol";
import type { Page } from "playwright-core";
import { sqlitePlace } from "../places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { startVerifyingReceiver } from "../verifying-receiver.ts";
import { hasNoViolationInAnyLight } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { useBrowser } from "./use-service.ts";

useBrowser();

let marketplace: Marketplace;
let service: ServiceProcess;
let drop: () => Promise<void>;
before(async () => {
  const place = await sqlitePlace();
  drop = place.drop;
  marketplace = await startMarketplace({
    host: "127.0.0.1",
    port: 0,
    folder: place.folder,
    retryMs: 1000,
    now: () => Math.floor(Date.now() / 1000),
    newId: () => randomBytes(8).toString("hex"),
  });
  service = await startServiceProcess({
    ...place.env,
    MARKETHOOK_BASE_URL: marketplace.url,
    MARKETHOOK_EMBED_ORIGINS: marketplace.url,
  });
  marketplace.connect({ baseUrl: service.address, apiKey }, { embed: true });
});
after(async () => {
  await marketplace.close();
  await service.kill();
  await drop();
});

test("the marketplace's pages have no accessibility fault in light or dark, and fit a phone", async () => {
  await using page = await openPage(marketplace.url, {
    colorScheme: "light",
    viewport: { width: 375, height: 800 },
  });
  await checkPage(page);
  await page.getByRole("link", { name: "Sample Plugin" }).click();
  await checkPage(page);
  await page.getByRole("button", { name: "Chiyo" }).click();
  await checkPage(page);
  await page.getByRole("button", { name: "Robin" }).click();
  await page.getByLabel("Subtitle").fill("x".repeat(1000));
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByText("Saved. Later events").waitFor();
  await checkPage(page);
  await page.getByLabel("Subtitle").fill("");
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByText("Saved. Later events").waitFor();
  await page.goto(`${marketplace.url}/resource/sample-map/webhooks`);
  const frame = page.frameLocator("iframe");
  await frame.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
  await checkPage(page, ["iframe"]);
});

test("by the keyboard alone, a buyer buys and saves the file, and the owner refunds", async () => {
  const url = `${marketplace.url}/resource/sample-plugin`;
  await using page = await openPage(url);
  await pressOn(page, "Ada buyer");
  await pressOn(page, "Buy for 4.99 EUR");
  await page.getByRole("status").getByText("product.user.purchase").waitFor();
  const saving = page.waitForEvent("download");
  await pressOn(page, "Download 1.1");
  await page.getByRole("status").getByText("product.user.firstDownload").waitFor();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), "sample-plugin-1.1.lua");
  assert.match(await text(await saved.createReadStream()), /^-- Sample Plugin/);
  await pressOn(page, "Robin owner");
  await pressOn(page, "Refund: Ada");
  await page.getByRole("status").getByText("product.user.purchaseRemoved").waitFor();
});

test("a click on each action of the page ends in its verified request at the owner's receiver", async (t) => {
  const receiver = await startVerifyingReceiver();
  t.after(() => receiver.close());
  const client = createClient({ baseUrl: service.address, apiKey });
  const { secret, id } = await client.webhooks.create("sample-plugin", { url: receiver.url });
  receiver.secrets.push(secret ?? "");
  await using page = await openPage(`${marketplace.url}/resource/sample-plugin`);
  const press = (name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).first().click();
  let expected = 0;
  const arrives = async (name: string): Promise<void> => {
    await receiver.received((expected += 1));
    assert.equal(receiver.events.at(-1)?.event, name);
  };

  await page.getByRole("button", { name: "Chiyo" }).click();
  await press("Buy for 4.99 EUR");
  await arrives("product.user.purchase");
  await press("Download 1.1");
  await arrives("product.user.firstDownload");

  await page.getByRole("button", { name: "Robin" }).click();
  await press("Refund: Chiyo");
  await arrives("product.user.purchaseRemoved");
  await press("Chargeback: Chiyo");
  await arrives("product.user.purchaseRemoved");
  const form = page.getByRole("form", { name: "Post an update" });
  await form.getByLabel("Version").fill("1.2");
  await form.getByLabel("Title").fill("Moat");
  await form.getByLabel("Description").fill("Now with water.");
  await form
    .getByLabel("File")
    .setInputFiles({ name: "castle.zip", mimeType: "", buffer: Buffer.alloc(999) });
  await form.getByRole("button", { name: "Post update" }).click();
  await arrives("product.update");
  const updated = receiver.events.at(-1);
  assert.ok(updated?.event === "product.update");
  assert.equal(updated.payload.update.size, "999");

  await page.getByRole("link", { name: "Webhooks" }).first().click();
  const frame = page.frameLocator("iframe");
  await frame.getByRole("link", { name: shownUrl(receiver.url), exact: true }).click();
  await frame.getByRole("button", { name: "Ping", exact: true }).click();
  await arrives("ping");
  await client.webhooks.delete(id);
});

async function checkPage(page: Page, without: readonly string[] = []): Promise<void> {
  await hasNoViolationInAnyLight(page, { where: page.url(), without });
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.equal(overflow, 0, `${page.url()} is wider than the window`);
}

/** Goes to it with the Tab key, and presses Enter. */
async function pressOn(page: Page, name: string): Promise<void> {
  const target = page.getByRole("button", { name });
  await target.waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await target.and(page.locator(":focus")).count()) === 1) {
      await page.keyboard.press("Enter");
      return;
    }
  }
  assert.fail(`the Tab key does not lead to ${name}`);
}
