import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { service, useService } from "./use-service.ts";

/** A marketplace that sends everybody back without a session. */
const useless = createServer((_request, response) => {
  visits += 1;
  response.writeHead(303, { location: `${service.address}/portal/` }).end();
});

let visits = 0;
let alone: PortalService;
let port = 0;

before(async () => {
  port = await listenOnLoopback(useless);
});

useService(() => ({ MARKETHOOK_PORTAL_ENTRY_URL: `http://127.0.0.1:${port}/webhooks` }));

before(async () => {
  alone = await startPortalService();
  for (const owner of ["owner-1", "owner-2"]) {
    const id = `castle-${owner}`;
    await service.api("PUT", `/resources/${id}`, { title: `Castle of ${owner}`, ownerId: owner });
    const webhook = { url: "http://127.0.0.1:9/x", description: `Bot of ${owner}` };
    await service.api("POST", `/resources/${id}/webhooks`, webhook);
  }
});
after(async () => {
  await alone.stop();
  useless.close();
  useless.closeAllConnections();
});

test("a marketplace that sends people back without a session is asked once, and then by a click alone", async () => {
  await using page = await openPage(`${service.address}/portal/#/deliveries`);
  await page.getByRole("heading", { name: "Open this page from your resource" }).waitFor();
  assert.equal(visits, 1);
  const again = page.getByRole("link", { name: "Open again" });
  const href = new URL((await again.getAttribute("href")) ?? "");
  assert.equal(href.searchParams.get("path"), "/");
  await hasNoViolation(page);
});

test("a place that is none of ours is not passed on", async () => {
  for (const wrong of [
    "//evil.example",
    "https://evil.example/",
    "/%2f%2fevil.example",
    "/\\evil",
  ]) {
    await using page = await openPage("about:blank");
    const sent = page.waitForRequest((request) => request.url().includes("/webhooks?path="));
    await page.goto(`${service.address}/portal/#${wrong}`);
    assert.equal(new URL((await sent).url()).searchParams.get("path"), "/", wrong);
  }
});

test("where nobody says how to get a session, the page says what to do by hand", async () => {
  await using page = await openPage(`${alone.address}/portal/#/deliveries`);
  await page.getByText("press Webhooks").waitFor();
  assert.equal(await page.getByRole("link", { name: "Open again" }).count(), 0);
  await hasNoViolation(page);
});

test("where the browser refuses to store anything, the page works until it is left", async () => {
  const link = await service.link();
  await using page = await openPage("about:blank");
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "sessionStorage", {
      get() {
        throw new DOMException("no", "SecurityError");
      },
    });
  });
  await page.goto(link);
  await page.getByText("Bot of owner-1").waitFor();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByRole("heading", { name: "Deliveries" }).waitFor();
  const before = visits;
  await page.reload();
  const again = page.getByRole("link", { name: "Open again" });
  await again.waitFor();
  const href = new URL((await again.getAttribute("href")) ?? "");
  assert.equal(href.searchParams.get("path"), "/deliveries");
  assert.equal(visits, before, "without storage it cannot know that it was there already");
});

test("a tab that comes back as another owner's shows that owner's only, and says so", async () => {
  await using page = await openPage(await service.link());
  await page.getByText("Bot of owner-1").waitFor();
  await page.goto(await service.link({ ownerId: "owner-2" }));
  await page.getByText("This tab shows another account now").waitFor();
  await page.getByText("Bot of owner-2").waitFor();
  assert.equal(await page.getByText("Bot of owner-1").count(), 0);
  await hasNoViolation(page);
  await page.getByRole("button", { name: "OK" }).click();
  await page.reload();
  await page.getByText("Bot of owner-2").waitFor();
  assert.equal(await page.getByText("Bot of owner-1").count(), 0);
  assert.equal(await page.getByText("This tab shows another account now").count(), 0);
});

test("a link that is too old does not fall back on the session that the tab had", async () => {
  await using page = await openPage(await service.link());
  await page.getByText("Bot of owner-1").waitFor();
  await page.goto(`${service.address}/portal/#code=mhc_${"0".repeat(46)}&path=%2Fdeliveries`);
  await page.getByRole("heading", { name: "This link has been used" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Open this page from your resource" }).waitFor();
});

test("five minutes before its end a session says so, use renews it, and its end says how to go on", async () => {
  await using page = await openPage("about:blank");
  await page.clock.install();
  const renewals: number[] = [];
  await page.route("**/current/renew", async (route) => {
    const answer = await route.fetch();
    const session = (await answer.json()) as { expiresAt: string };
    renewals.push(answer.status());
    // As the service will answer once the hour is nearly over, and not at its beginning.
    const expiresAt = new Date(Date.parse(session.expiresAt) + 3_600_000).toISOString();
    await route.fulfill({ response: answer, json: { ...session, expiresAt } });
  });
  await page.goto(await service.link());
  await page.getByText("Bot of owner-1").waitFor();
  await page.clock.fastForward("54:00");
  const notice = page.getByText(/Your session ends/);
  assert.equal(await notice.count(), 0);
  await page.clock.fastForward("02:00");
  await notice.waitFor();
  await hasNoViolation(page);
  await page.setViewportSize({ width: 375, height: 400 });
  await page.mouse.wheel(0, 5000);
  await page.waitForFunction(() => window.scrollY > 0);
  const box = await notice.boundingBox();
  assert.ok(box !== null && box.y > 0 && box.y < 400, "it stays in sight");
  await page.getByRole("button", { name: "Go on" }).focus();
  assert.deepEqual(renewals, []);
  await page.keyboard.press("Enter");
  await notice.waitFor({ state: "detached" });
  // Once, for the key and for what it presses. Another answer after the clock's next jump would be of a short session.
  assert.deepEqual(renewals, [200]);
  await page.clock.fastForward("59:30");
  await notice.waitFor();
  await page.clock.fastForward("06:00");
  await page.getByRole("heading", { name: "Your session has ended" }).waitFor();
  await page.getByRole("link", { name: "Open again" }).waitFor();
  await hasNoViolation(page);
});
