import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./open-page.ts";
import { logRows, openWebhook } from "./open-webhook.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

const STREAM = "**/v1/deliveries/stream**";
const LOG = /\/v1\/deliveries\?.*limit=/;

const row = (page: Page, userId: number, state: string) =>
  logRows(page)
    .filter({ hasText: `user ${userId}` })
    .filter({ hasText: state });

const isLive = async (page: Page) => await page.getByText("Live", { exact: true }).waitFor();

/** Has the page note what its stream tells. */
async function noteStream(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const told: string[] = [];
    const { fetch } = globalThis;
    Object.assign(globalThis, { told });
    globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!response.url.endsWith("/v1/deliveries/stream") || response.body === null)
        return response;
      const [forPage, forTest] = response.body.tee();
      const noting = new WritableStream<string>({ write: (text) => void told.push(text) });
      void forTest.pipeThrough(new TextDecoderStream()).pipeTo(noting);
      return new Response(forPage, response);
    };
  });
}

/** Until the stream has told of a user's delivery in this state, and the page has handled it. */
async function told(page: Page, userId: number, state: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const { told: parts } = globalThis as unknown as { told: string[] }; // By `noteStream`.
      const events = parts.join("").split("\n\n");
      return events.some((event) => wanted.every((part) => event.includes(part)));
    },
    [`"userId":${userId},`, `"state":"${state}"`],
  );
  await page.evaluate(async () => await new Promise(requestAnimationFrame));
}

/** The log of one webhook with users 1 to `count`. The receiver keeps what it gets from now on until it is told to reply. */
async function openLog(page: Page, resourceId: string, count = 1): Promise<() => void> {
  receiver.gate = null;
  await noteStream(page);
  await shop.addWebhook(resourceId);
  await shop.sell(resourceId, count);
  const gate = Promise.withResolvers<void>();
  receiver.gate = gate.promise;
  await page.goto(await service.link({ resourceId }));
  await openWebhook(page);
  await page.mouse.move(0, 0);
  await isLive(page);
  await row(page, count, "Delivered").waitFor();
  return gate.resolve;
}

/** Holds such requests back, with the answer that they would have had; `asked` resolves when there is one. */
async function holdBack(page: Page, url: string | RegExp, answeredBefore: boolean) {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    const response = answeredBefore ? await route.fetch() : undefined;
    asked.resolve();
    await release.promise;
    await (response === undefined ? route.continue() : route.fulfill({ response }));
  });
  return { asked: asked.promise, release: release.resolve };
}

test("after reloading, what happened before the stream opened is in the log", async () => {
  await using page = await openPage("about:blank");
  const reply = await openLog(page, "reloaded");
  await shop.buy("reloaded", 1, 2);
  await row(page, 2, "Sending").waitFor();
  const stream = await holdBack(page, STREAM, false);
  await page.reload();
  await stream.asked;
  await row(page, 2, "Sending").waitFor();
  reply();
  await shop.buy("reloaded", 1, 3);
  await shop.untilStored("reloaded", "delivered", 3);
  assert.equal(await logRows(page).count(), 2);
  // Rows stay where they are under the pointer.
  await row(page, 1, "Delivered").hover();
  stream.release();
  await row(page, 2, "Delivered").waitFor();
  await page.getByRole("button", { name: "Show 1 new delivery" }).click();
  await row(page, 3, "Delivered").waitFor();
});

test("what happens while the log is read is in it", async () => {
  await using page = await openPage("about:blank");
  const reply = await openLog(page, "slow");
  await shop.buy("slow", 1, 2);
  await row(page, 2, "Sending").waitFor();
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  const log = await holdBack(page, LOG, true);
  await page.getByRole("link", { name: "Deliveries" }).click();
  await log.asked;
  reply();
  await shop.buy("slow", 1, 3);
  await told(page, 2, "delivered");
  await told(page, 3, "delivered");
  log.release();
  await row(page, 3, "Delivered").waitFor();
  await row(page, 2, "Delivered").waitFor();
});

test("a row that changes while older ones are read keeps its change", async () => {
  await using page = await openPage("about:blank");
  const reply = await openLog(page, "older", 150);
  await shop.buy("older", 1, 999);
  await row(page, 999, "Sending").waitFor();
  const older = await holdBack(page, /\/v1\/deliveries\?.*cursor=/, true);
  await logRows(page).first().hover();
  await page.mouse.wheel(0, 10_000);
  await older.asked;
  reply();
  await told(page, 999, "delivered");
  older.release();
  await page.getByText("That is all that is kept.").waitFor();
  await page.mouse.wheel(0, -20_000);
  await row(page, 999, "Delivered").waitFor();
});

test("a log that is left open lets go of the oldest, which scrolling reads again", async () => {
  await using page = await openPage("about:blank");
  const reply = await openLog(page, "busy");
  reply();
  receiver.gate = null;
  for (let batches = 0; batches < 11; batches += 1) await shop.sell("busy", 100);
  await page.getByText(/^\d{2,3}\+ deliveries$/).waitFor();
});
