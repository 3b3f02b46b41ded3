import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type Marketplace, startMarketplace } from "@markethook/marketplace";
import type { BrowserContext, FrameLocator, Page } from "playwright-core";
import { PAGE_PLACES, type Place, sqlitePlace } from "../places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { useBrowser } from "./use-service.ts";

useBrowser();

for (const [database, makePlace] of PAGE_PLACES) {
  describe(database, () => {
    let place: Place;
    let folder: Awaited<ReturnType<typeof sqlitePlace>>;
    let marketplace: Marketplace;
    let service: ServiceProcess;
    let webhookId = "";
    let deliveryId = "";

    before(async () => {
      [place, folder] = [await makePlace(), await sqlitePlace()];
      marketplace = await startMarketplace({
        host: "127.0.0.1",
        port: 0,
        folder: folder.folder,
        retryMs: 1000,
        now: () => Math.floor(Date.now() / 1000),
        newId: () => randomBytes(8).toString("hex"),
      });
      service = await startServiceProcess({
        ...place.env,
        MARKETHOOK_BASE_URL: marketplace.url,
        MARKETHOOK_EMBED_ORIGINS: marketplace.url,
        MARKETHOOK_PORTAL_ENTRY_URL: `${marketplace.url}/webhooks`,
      });
      marketplace.connect({ baseUrl: service.address, apiKey }, { embed: true });
      const { api } = service;
      const plugin = { title: "Sample Plugin", ownerId: "sample-owner" };
      await api("PUT", "/resources/sample-plugin", plugin);
      const url = "http://127.0.0.1:9/hooks";
      webhookId = String((await api("POST", "/resources/sample-plugin/webhooks", { url }))["id"]);
      const purchase = { event: "product.user.purchase", user: { id: 7 } };
      await api("POST", "/resources/sample-plugin/events", purchase);
      const { items } = await api("GET", `/webhooks/${webhookId}/deliveries`);
      deliveryId = (items as { id: string }[])[0]?.id ?? "";
    });
    after(async () => {
      await marketplace.close();
      await service.kill();
      await Promise.all([place.drop(), folder.drop()]);
    });

    const openPortal = async () =>
      await openPage(`${marketplace.url}/resource/sample-plugin/webhooks/open`);
    const openTab = async (view: Page | FrameLocator, name: string): Promise<void> => {
      await view.getByRole("link", { name: "http://127.0.0.1:9/…", exact: true }).click();
      // What is loaded above the tabs moves them: a click at that moment would meet something else.
      await view.getByRole("list", { name: "Deliveries" }).waitFor();
      await view.getByRole("tab", { name }).click();
      await view.getByRole("tab", { name, selected: true }).waitFor();
    };
    const placeOf = (page: Page): string => new URL(page.url()).hash;

    test("a reload keeps the session and the place, without a cookie", async () => {
      await using page = await openPortal();
      await openTab(page, "Secret");
      const before = placeOf(page);
      assert.equal(before, `#/webhooks/${webhookId}?tab=secret`);
      for (let i = 0; i < 2; i += 1) {
        await page.reload();
        await page.getByRole("tab", { name: "Secret", selected: true }).waitFor();
        assert.equal(placeOf(page), before);
      }
      assert.ok(page.url().startsWith(`${service.address}/portal/`));
      assert.deepEqual(await page.context().cookies(service.address), []);
    });

    test("a new tab, a middle click on a row of the log and a link go through the marketplace to the same place", async () => {
      await using page = await openPortal();
      const context: BrowserContext = page.context();
      const tab = await context.newPage();
      await tab.goto(`${service.address}/portal/#/webhooks/${webhookId}?tab=verify`);
      await tab.getByRole("tab", { name: "Verify requests", selected: true }).waitFor();
      assert.equal(placeOf(tab), `#/webhooks/${webhookId}?tab=verify`);
      assert.ok(!tab.url().includes("code="));

      await page.getByRole("link", { name: "Deliveries" }).click();
      const row = page.getByRole("list", { name: "Deliveries" }).getByRole("link").first();
      // The chart above it is loaded by itself.
      await page.getByText("Show as a table").waitFor();
      const [middle] = await Promise.all([
        context.waitForEvent("page"),
        row.click({ button: "middle" }),
      ]);
      await middle.getByRole("heading", { name: "Delivery", exact: true }).waitFor();
      await middle.waitForURL((url) => url.hash === `#/deliveries/${deliveryId}`);
      await tab.goBack();
      await tab.goForward();
      await tab.getByRole("tab", { name: "Verify requests", selected: true }).waitFor();
    });

    test("Back into the frame shows the page that was there", async () => {
      await using page = await openPage(`${marketplace.url}/resource/sample-plugin/webhooks`);
      const frame = page.frameLocator("iframe");
      await openTab(frame, "Settings");
      await page.getByRole("link", { name: "Sample Plugin", exact: true }).click();
      await page.getByRole("heading", { name: "Sample Plugin" }).waitFor();
      await page.goBack();
      await frame.getByRole("tab", { name: "Settings", selected: true }).waitFor();
    });

    test("a frame that has lost its session asks for a click, and comes back into the frame", async () => {
      await using page = await openPage(`${marketplace.url}/resource/sample-plugin/webhooks`);
      const frame = page.frameLocator("iframe");
      await openTab(frame, "Settings");
      const inner = page.frames().find((one) => one.url().startsWith(service.address));
      assert.ok(inner !== undefined);
      await inner.evaluate(() => {
        const name = Object.keys(sessionStorage).find((one) => one.endsWith(":session")) ?? "";
        const session = JSON.parse(sessionStorage.getItem(name) ?? "{}");
        sessionStorage.setItem(name, JSON.stringify({ ...session, token: null }));
        location.reload();
      });
      const again = frame.getByRole("link", { name: "Open again" });
      await again.waitFor();
      await hasNoViolation(page);
      await again.click();
      await page.waitForURL((url) => url.pathname === "/resource/sample-plugin/webhooks");
      await frame.getByRole("tab", { name: "Settings", selected: true }).waitFor();
    });

    test("a link made for a place opens it, also in a tab that shows the page, and again when it was spent there", async () => {
      const link = async (path: string): Promise<string> => {
        const asked = { ownerId: "sample-owner", path };
        return String((await service.api("POST", "/portal-sessions", asked))["url"]);
      };
      const first = await link(`/deliveries/${deliveryId}`);
      await using page = await openPage(first);
      await page.getByRole("heading", { name: "Delivery", exact: true }).waitFor();
      assert.equal(placeOf(page), `#/deliveries/${deliveryId}`);
      await page.goto(first);
      await page.getByRole("heading", { name: "Delivery", exact: true }).waitFor();
      await page.goto(await link(`/webhooks/${webhookId}?tab=settings`));
      await page.getByRole("tab", { name: "Settings", selected: true }).waitFor();
      await page.goto(first);
      await page.getByRole("heading", { name: "This link has been used" }).waitFor();
      await page.getByRole("link", { name: "Open again" }).click();
      await page.getByRole("heading", { name: "Delivery", exact: true }).waitFor();
      assert.equal(placeOf(page), `#/deliveries/${deliveryId}`);
    });
  });
}
