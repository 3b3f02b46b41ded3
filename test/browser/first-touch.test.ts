import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type AnsweringReceiver, startAnsweringReceiver } from "./answering-receiver.ts";
import { startBrowser } from "./browser.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";

let service: PortalService;
let browser: Browser;
let receiver: AnsweringReceiver;
before(async () => {
  [service, browser, receiver] = await Promise.all([
    startPortalService(),
    startBrowser(),
    startAnsweringReceiver(),
  ]);
});
after(async () => {
  await Promise.all([browser.close(), service.stop(), receiver.close()]);
});

async function makeWebhook(resourceId: string): Promise<string> {
  await service.api("PUT", `/resources/${resourceId}`, {
    title: `The ${resourceId}`,
    ownerId: "owner-1",
  });
  const made = await service.api("POST", `/resources/${resourceId}/webhooks`, {
    url: receiver.url,
  });
  return String(made["id"]);
}

async function report(resourceId: string, count: number): Promise<void> {
  const before = receiver.requests.length;
  await service.api("POST", "/events", {
    events: Array.from({ length: count }, (_, index) => ({
      resourceId,
      event: "product.user.purchase",
      user: { id: 1 + index },
    })),
  });
  await receiver.answered(before + count);
}

const rows = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("link");
const openWebhook = async (page: Page): Promise<void> =>
  await page
    .getByRole("list", { name: /^Webhooks of/ })
    .getByRole("link", { name: /^http/ })
    .click();

test("the navigation marks the part that each page belongs to, and a webhook's page leads back", async () => {
  await makeWebhook("marked");
  await report("marked", 1);
  await using open = await openPage(browser, await service.link({ resourceId: "marked" }));
  const { page } = open;
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
  await rows(page).first().click();
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

test("on a phone the header takes one line, with the way back to the resource in it", async () => {
  await makeWebhook("phone");
  for (const width of [320, 375]) {
    const link = await service.link({
      resourceId: "phone",
      returnUrl: "https://market.example/resource/phone",
    });
    await using open = await openPage(browser, link, { viewport: { width, height: 700 } });
    const { page } = open;
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
  await makeWebhook("tablet");
  await report("tablet", 2);
  for (const width of [704, 705, 768, 820, 864, 865, 1024]) {
    await using open = await openPage(browser, await service.link(), {
      viewport: { width, height: 900 },
    });
    const { page } = open;
    await page.getByRole("link", { name: "Deliveries" }).click();
    await rows(page).first().waitFor();
    const cut = await rows(page)
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
  await makeWebhook("example");
  await using open = await openPage(browser, await service.link({ resourceId: "example" }));
  const { page } = open;
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
  await makeWebhook("private");
  await using open = await openPage(browser, await service.link({ resourceId: "private" }));
  const { page } = open;
  await page.getByRole("link", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill("http://10.0.0.1:4000/hooks");
  await page.getByText("markethook receive").waitFor();
  await hasNoViolation(page);
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByText(/^Format: /).waitFor();
  assert.equal(await page.getByText("markethook receive").count(), 0);
});

test("while offline the log does not say that it is live", async () => {
  await makeWebhook("offline");
  await using open = await openPage(browser, await service.link({ resourceId: "offline" }));
  const { page } = open;
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByText("Offline", { exact: true }).waitFor();
  assert.equal(await page.getByText("Live", { exact: true }).count(), 0);
  await page.context().setOffline(false);
  await page.getByText("Live", { exact: true }).waitFor();
});

test("a ping's answer and the log below it never contradict each other, and seconds pass meanwhile", async () => {
  await makeWebhook("pinged");
  await using open = await openPage(browser, await service.link({ resourceId: "pinged" }));
  const { page } = open;
  // Whatever the page shows, if only for a moment.
  await page.evaluate(() => {
    new MutationObserver(() => {
      const text = document.body.textContent;
      if (text.includes("Ping accepted") && text.includes("Nothing sent yet")) {
        document.body.dataset["contradiction"] = "yes";
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await openWebhook(page);
  await page.getByText("Nothing sent yet").waitFor();
  const held = Promise.withResolvers<undefined>();
  await page.route("**/ping**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Waiting for your server. 1 s").waitFor();
  held.resolve(undefined);
  await page.getByText("Ping accepted with 200").waitFor();
  await rows(page).filter({ hasText: "Ping" }).waitFor();
  assert.equal(await page.evaluate(() => document.body.dataset["contradiction"]), undefined);
});

test("a new webhook's secret is shown once, and later only when it is revealed", async () => {
  await service.api("PUT", "/resources/masked", { title: "The masked", ownerId: "owner-1" });
  await using open = await openPage(browser, await service.link({ resourceId: "masked" }));
  const { page } = open;
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
  await makeWebhook("hasty");
  await using open = await openPage(browser, "about:blank");
  const { page } = open;
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

test("a secret is not asked for before somebody wants to see or copy it", async () => {
  await makeWebhook("asked");
  await using open = await openPage(browser, await service.link({ resourceId: "asked" }));
  const { page } = open;
  let asked = 0;
  page.on("request", (request) => {
    if (/\/webhooks\/wh_\w+\/secret$/.test(request.url())) asked += 1;
  });
  await openWebhook(page);
  await page.getByRole("tab", { name: "Secret" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).waitFor();
  await page.evaluate(async () => await new Promise(requestAnimationFrame));
  assert.equal(asked, 0);
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await page
    .getByTestId("secret")
    .filter({ hasText: /^\w{48}$/ })
    .waitFor();
  assert.equal(asked, 1);
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("A new secret is being introduced").waitFor();
  await page
    .getByTestId("secret")
    .filter({ hasText: /^\w{48}$/ })
    .nth(1)
    .waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Reveal new secret" }).waitFor();
  await page.evaluate(async () => await new Promise(requestAnimationFrame));
  const before = asked;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy new secret" }).click();
  await page.getByRole("button", { name: "Copied new secret" }).waitFor();
  assert.equal(asked, before + 1);
  const copied = await page.evaluate(async () => await navigator.clipboard.readText());
  assert.match(copied, /^\w{48}$/);
  assert.equal(await page.getByText(copied).count(), 0);
});

test("after a ping the webhook is read once, and not the list that its page does not show", async () => {
  const id = await makeWebhook("pinged");
  await using open = await openPage(browser, await service.link({ path: `/webhooks/${id}` }));
  const { page } = open;
  await page.getByText("Live", { exact: true }).waitFor();
  await page.clock.install();
  await page.addInitScript(markStreamedEnd);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/webhooks(\/wh_\w+)?$/.test(pathname)) reads.push(pathname);
  });
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping accepted with 200").waitFor();
  await page.locator("body[data-streamed]").waitFor();
  const answer = page.waitForResponse((one) => one.url().endsWith(`/webhooks/${id}`));
  await page.clock.runFor(3000);
  await answer;
  assert.deepEqual(reads, [`/v1/webhooks/${id}`]);
});

/** Notes in the page when the stream has told that a delivery has ended. */
function markStreamedEnd(): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const answer = await real(...request);
    if (!answer.url.includes("/deliveries/stream")) return answer;
    const [kept, read] = answer.body?.tee() ?? [];
    void (async () => {
      let text = "";
      for await (const part of read?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += part;
        if (text.includes('"delivered"')) document.body.dataset["streamed"] = "";
      }
    })();
    return new Response(kept ?? null, answer);
  };
}

test("the log is one stop of the Tab key; arrow keys, Home and End move in it, as far as it goes", async () => {
  await makeWebhook("keys");
  await report("keys", 250);
  await using open = await openPage(browser, await service.link({ resourceId: "keys" }));
  const { page } = open;
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page).nth(10).waitFor();
  const stops = page.locator('ul[aria-label="Deliveries"] a[tabindex="0"]');
  const focused = async (): Promise<string> =>
    await page.evaluate(
      () => /user (\d+)/.exec(document.activeElement?.textContent ?? "")?.[1] ?? "",
    );
  const isFocused = async (user: string): Promise<void> => {
    await page.waitForFunction(
      (id) => /user (\d+)/.exec(document.activeElement?.textContent ?? "")?.[1] === id,
      user,
    );
  };
  assert.equal(await stops.count(), 1);
  await page.getByLabel("Time").focus();
  await page.keyboard.press("Tab");
  await isFocused("250");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await isFocused("248");
  assert.equal(await stops.count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await page.locator('ul[aria-label="Deliveries"] :focus').count(), 0);
  await page.keyboard.press("Shift+Tab");
  await isFocused("248");
  await page.keyboard.press("ArrowUp");
  await isFocused("249");
  // To the end of what was read, which reads on; until there is no more.
  for (let pages = 0; pages < 6 && (await focused()) !== "1"; pages += 1) {
    const before = await focused();
    await page.keyboard.press("End");
    await page.waitForFunction(
      (id) => /user (\d+)/.exec(document.activeElement?.textContent ?? "")?.[1] !== id,
      before,
    );
    await page.getByText("Loading more…").waitFor({ state: "detached" });
  }
  await isFocused("1");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  await isFocused("250");
  await hasNoViolation(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Attempts" }).waitFor();
});

test("in the log j and k move as the arrows do, and n goes from one failed delivery to the next", async () => {
  await makeWebhook("letters");
  receiver.status = 410;
  try {
    await report("letters", 1);
  } finally {
    receiver.status = 200;
  }
  await using open = await openPage(browser, await service.link({ resourceId: "letters" }));
  const { page } = open;
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByText("410", { exact: true }).waitFor();
  // The first webhook is disabled by now; what another accepts stands above its failure.
  await makeWebhook("letters");
  await report("letters", 3);
  await page.reload();
  await rows(page).nth(3).waitFor();
  await page.getByLabel("Time").focus();
  await page.keyboard.press("Tab");
  const isAt = async (place: number): Promise<void> => {
    await page.waitForFunction(
      (wanted) => document.activeElement?.parentElement?.getAttribute("aria-posinset") === wanted,
      String(place),
    );
  };
  await isAt(1);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await isAt(3);
  await page.keyboard.press("k");
  await isAt(2);
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("410") === true);
  const place = await page.evaluate(
    () => document.activeElement?.parentElement?.getAttribute("aria-posinset") ?? "",
  );
  // None follows: the focus stays.
  await page.keyboard.press("n");
  await isAt(Number(place));
  await hasNoViolation(page);
});

test("what a page shows is fetched once, and lists come compressed", async () => {
  await makeWebhook("once");
  await report("once", 40);
  const link = await service.link({ resourceId: "once" });
  await using open = await openPage(browser, "about:blank");
  const { page } = open;
  const asked: string[] = [];
  const encodings = new Map<string, string>();
  page.on("response", (response) => {
    const { pathname, search } = new URL(response.url());
    if (!pathname.startsWith("/v1/")) return;
    asked.push(pathname + search);
    encodings.set(pathname, response.headers()["content-encoding"] ?? "");
  });
  await page.goto(link);
  await openWebhook(page);
  await rows(page).nth(9).waitFor();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await rows(page).nth(9).waitFor();
  assert.deepEqual(asked, [...new Set(asked)]);
  assert.ok(!asked.some((path) => path.startsWith("/v1/webhooks/wh_")), asked.join(" "));
  assert.match(encodings.get("/v1/deliveries") ?? "", /^(br|gzip)$/);
  assert.equal(encodings.get("/v1/portal-sessions/exchange"), "");
});
