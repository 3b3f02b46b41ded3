import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { hasNoViolation } from "./has-no-violation.ts";
import { logRows, openWebhook } from "./open-webhook.ts";
import { openPage, skipsWithoutNetwork } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

test("the navigation marks the part that each page belongs to, and a webhook's page leads back", async () => {
  await shop.addWebhook("marked");
  await shop.sell("marked", 1);
  await using page = await openPage(await service.link({ resourceId: "marked" }));
  const marked = async (name: string): Promise<void> => {
    const link = page.getByRole("navigation").locator("[aria-current]");
    await link.filter({ hasText: name }).waitFor();
    assert.equal(await link.count(), 1);
    // It is seen, too.
    const line = await link.evaluate((element) => getComputedStyle(element).borderBottomColor);
    assert.notEqual(line, "rgba(0, 0, 0, 0)");
  };
  await marked("Webhooks");
  await openWebhook(page);
  await page.getByRole("tab", { name: "Settings" }).click();
  await marked("Webhooks");
  await page.getByRole("tab", { name: "Deliveries" }).click();
  await logRows(page).first().click();
  await page.getByRole("heading", { name: "Attempts" }).waitFor();
  await marked("Deliveries");
  await page.goBack();
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").waitFor();
  await marked("Webhooks");
  await page.getByRole("link", { name: "Events" }).click();
  await marked("Events");
});

test("what the check of a URL says moves no button", async () => {
  await shop.addWebhook("moved");
  await using page = await openPage(await service.link({ resourceId: "moved" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  // This one is remarked on, as it is a number; names cannot be looked up here.
  await page.route("**/check-url**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), remarks: [] } });
  });
  const button = page.getByRole("button", { name: "Add webhook" });
  const before = await button.boundingBox();
  await page.getByLabel("URL").fill("https://127.0.0.1/webhooks");
  await page.getByText("for a server of yours").waitFor();
  assert.deepEqual(await button.boundingBox(), before);
});

test("on a phone the header takes one line, with the way back to the resource in it", async () => {
  await shop.addWebhook("phone");
  for (const width of [320, 375]) {
    const link = await service.link({
      resourceId: "phone",
      returnUrl: "https://market.example/resource/phone",
    });
    await using page = await openPage(link, { viewport: { width, height: 700 } });
    await page.getByRole("link", { name: "Events" }).waitFor();
    const tops = new Set<number>();
    for (const name of ["Webhooks", "Deliveries", "Events", "Back to your resource"]) {
      const box = await page.getByRole("banner").getByRole("link", { name }).boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${name} at ${width}`);
      tops.add(Math.round((box.y + box.height / 2) / 8));
    }
    assert.equal(tops.size, 1);
    const header = await page.getByRole("banner").boundingBox();
    assert.ok((header?.height ?? 99) < 56, `${header?.height}`);
    if (width === 375) await hasNoViolation(page);
  }
});

test("at a tablet's width no column of the log is cut", async () => {
  await shop.addWebhook("tablet");
  await shop.sell("tablet", 2);
  for (const width of [704, 705, 768, 820, 864, 865, 1024]) {
    await using page = await openPage(await service.link(), {
      viewport: { width, height: 900 },
    });
    await page.getByRole("link", { name: "Deliveries" }).click();
    await logRows(page).first().waitFor();
    const cut = await logRows(page)
      .first()
      .evaluate((row) => {
        const edge = row.getBoundingClientRect().right;
        return [...row.children].filter((cell) => cell.getBoundingClientRect().right > edge).length;
      });
    assert.equal(cut, 0, `${width}`);
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(sideways, 0, `${width}`);
  }
});

test("an example of what to enter is never as red as what is wrong", async () => {
  await shop.addWebhook("example");
  await using page = await openPage(await service.link({ resourceId: "example" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  const field = page.getByLabel("URL");
  const colour = async (): Promise<string> =>
    await field.evaluate((input) => getComputedStyle(input, "::placeholder").color);
  const before = await colour();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByText("Enter the URL.").waitFor();
  assert.equal(await colour(), before);
});

test("an address of the seller's own network is refused with a way to try it on the own machine", async () => {
  await shop.addWebhook("private");
  await using page = await openPage(await service.link({ resourceId: "private" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("http://10.0.0.1:4000/hooks");
  await page.getByText("markethook receive").waitFor();
  await hasNoViolation(page);
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByText(/^Format: /).waitFor();
  assert.equal(await page.getByText("markethook receive").count(), 0);
});

test("while offline the log does not say that it is live", async (t) => {
  await shop.addWebhook("offline");
  await using page = await openPage(await service.link({ resourceId: "offline" }));
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByText("Live", { exact: true }).waitFor();
  if (await skipsWithoutNetwork(t, page)) return;
  await page.context().setOffline(true);
  await page.getByText("Offline", { exact: true }).waitFor();
  assert.equal(await page.getByText("Live", { exact: true }).count(), 0);
  await page.context().setOffline(false);
  await page.getByText("Live", { exact: true }).waitFor();
});

test("a page that came without a network, as from one's own machine, is not told to be offline", async () => {
  await shop.addWebhook("train");
  await using page = await openPage("about:blank");
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "onLine", { get: () => false });
  });
  await page.goto(await service.link({ resourceId: "train", path: "/deliveries" }));
  await page.getByText("Live", { exact: true }).waitFor();
  assert.equal(await page.getByText("You are offline").count(), 0);
});

test("a ping's answer and the log below it never contradict each other, and seconds pass meanwhile", async () => {
  await shop.addWebhook("pinged");
  await using page = await openPage(await service.link({ resourceId: "pinged" }));
  await watchForContradiction(page);
  await openWebhook(page);
  // Of the log: the list that leads here says "Nothing sent yet" too.
  await page.getByText("it appears here by itself").waitFor();
  const held = Promise.withResolvers<undefined>();
  await page.route("**/ping**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText(/Waiting for your server\. [1-9]/).waitFor();
  held.resolve(undefined);
  await page.getByText("Ping accepted with 200").waitFor();
  await logRows(page).filter({ hasText: "Ping" }).waitFor();
  assert.equal(await contradiction(page), undefined);
});

test("a log whose first answer is from before the ping, and comes after its reply, does not contradict it", async () => {
  await shop.addWebhook("late-log");
  await using page = await openPage(await service.link({ resourceId: "late-log" }));
  await watchForContradiction(page);
  // It would tell the log of the ping.
  await page.route("**/v1/deliveries/stream**", (route) => route.abort());
  const [read, replied] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  await page.route(
    /\/v1\/deliveries\?/,
    async (route) => {
      const response = await route.fetch();
      read.resolve(undefined);
      await replied.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await openWebhook(page);
  await read.promise;
  const asked = page.waitForResponse("**/ping**");
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await (await asked).finished();
  replied.resolve(undefined);
  await page.getByText("Ping accepted with 200").waitFor();
  await logRows(page).filter({ hasText: "Ping" }).waitFor();
  assert.equal(await contradiction(page), undefined);
});

/** Whatever the page shows, if only for a moment. */
async function watchForContradiction(page: Page): Promise<void> {
  await page.evaluate(() => {
    new MutationObserver(() => {
      const text = document.body.textContent;
      if (text.includes("Ping accepted") && text.includes("Nothing sent yet")) {
        document.body.dataset["contradiction"] = "yes";
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
}

async function contradiction(page: Page): Promise<string | undefined> {
  return await page.evaluate(() => document.body.dataset["contradiction"]);
}

test("a new webhook's secret is shown once, and later only when it is revealed", async () => {
  await service.api("PUT", "/resources/masked", { title: "The masked", ownerId: "owner-1" });
  await using page = await openPage(await service.link({ resourceId: "masked" }));
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add webhook" }).click();
  const field = page.getByTestId("secret");
  await field.filter({ hasText: /^[A-Za-z0-9]{48}$/ }).waitFor();
  const secret = (await field.textContent()) ?? "";
  await page.getByRole("tab", { name: "Secret" }).click();
  await page.getByRole("button", { name: "Reveal secret" }).waitFor();
  assert.equal(await field.count(), 1);
  assert.equal(await page.getByText(secret).count(), 0);
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page.getByText(secret).waitFor();
  assert.equal(await page.getByText(secret).count(), 1);
});

test("a page that is reloaded before its link's code was answered opens all the same", async () => {
  await shop.addWebhook("hasty");
  await using page = await openPage("about:blank");
  const spent = Promise.withResolvers<undefined>();
  const exchange = "**/portal-sessions/exchange";
  await page.route(exchange, async (route) => {
    await route.fetch();
    // The answer never arrives.
    spent.resolve(undefined);
  });
  await page.goto(await service.link({ resourceId: "hasty" }));
  await spent.promise;
  await page.unroute(exchange);
  await page.reload();
  await page.getByRole("link", { name: "Add webhook" }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Add webhook" }).waitFor();
});
