import assert from "node:assert/strict";
import { createServer } from "node:https";
import { after, before, describe, test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import type { Page } from "playwright-core";
import { createAuthority } from "../../packages/dispatcher/src/send/testing/certificate.ts";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { openShop } from "./shop.ts";
import { receiver, useBrowser } from "./use-service.ts";

useBrowser();

async function hasNoRequest(page: Page): Promise<void> {
  await page.getByText("Not sent: nothing of it left our side.").waitFor();
  assert.equal(await page.getByRole("region", { name: "request headers" }).count(), 0);
  assert.equal(await page.getByRole("region", { name: "request body" }).count(), 0);
}

for (const [name, place] of PAGE_PLACES) {
  describe(`what was seen of a request, on ${name}`, () => {
    let service: PortalService;
    before(async () => {
      service = await startPortalService({ MARKETHOOK_RETRY_SCHEDULE: "100ms" }, place);
    });
    after(async () => {
      await service.stop();
    });

    async function openWebhook(resourceId: string, url: string) {
      const id = await openShop(service, receiver).addWebhook(resourceId, { url });
      const page = await openPage(await service.link({ resourceId }));
      await page.locator(`main a[href*="${id}"]`).first().click();
      return page;
    }

    for (const [fault, resourceId, url] of [
      ["nothing listens", "refused", () => "http://127.0.0.1:1/hooks"],
      ["no TLS is spoken", "tls", () => receiver.url.replace("http:", "https:")],
    ] as const) {
      test(`where ${fault}, a ping and a delivery are said to be not sent, and show no request`, async () => {
        await using page = await openWebhook(resourceId, url());
        await page.getByRole("button", { name: "Ping", exact: true }).click();
        await page.getByRole("heading", { name: /^Not sent: / }).waitFor();
        await hasNoRequest(page);
        const event = { event: "product.user.purchase", user: { id: 7 } };
        await service.api("POST", `/resources/${resourceId}/events`, event);
        await page
          .getByRole("list", { name: "Deliveries" })
          .getByRole("link", { name: /Failed.*user 7/ })
          .click();
        await page.getByText("It is not tried again by itself").waitFor();
        await page.getByRole("button", { name: /^2.*Not sent/ }).waitFor();
        await hasNoRequest(page);
        if (name === "SQLite" && resourceId === "refused") await hasNoViolation(page);
      });
    }

    test("a refused certificate is shown with its names, its issuer and its end, at a ping and in the log", async (t) => {
      const authority = createAuthority("An authority of one's own");
      const validTo = new Date(Date.UTC(2031, 4, 6, 7, 8, 9));
      const server = createServer(authority.issue({ names: ["127.0.0.1"], validTo }));
      t.after(() => server.close());
      const port = await listenOnLoopback(server);
      await using page = await openWebhook("certificate", `https://127.0.0.1:${port}/hooks`);
      await page.getByRole("button", { name: "Ping", exact: true }).click();
      const isShown = async (): Promise<void> => {
        const facts = page.locator("dl").filter({ hasText: "Certificate for127.0.0.1" });
        await facts.filter({ hasText: "Issued byAn authority of one's own" }).waitFor();
        await facts.locator(`time[datetime="${validTo.toISOString()}"]`).waitFor();
      };
      await isShown();
      if (name === "SQLite") await hasNoViolation(page);
      await page
        .getByRole("list", { name: "Deliveries" })
        .getByRole("link", { name: /Failed.*Ping.*Certificate not trusted/ })
        .click();
      await page.getByRole("heading", { name: "Attempts" }).waitFor();
      await isShown();
    });

    test("a request that was answered shows itself, and a refused one is marked so in the list and its cause", async () => {
      await using page = await openWebhook("both", receiver.url);
      await service.api("POST", "/resources/both/webhooks", { url: "http://127.0.0.1:1/hooks" });
      await page.getByRole("button", { name: "Ping", exact: true }).click();
      await page.getByText("Ping accepted with 200").waitFor();
      await page.getByRole("region", { name: "request body" }).waitFor();
      const event = { event: "product.user.purchase", user: { id: 7 } };
      await service.api("POST", "/resources/both/events", event);
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      const refused = page.getByRole("listitem").filter({ hasText: "Not sent" });
      await refused.getByRole("link").first().click();
      await page.getByText(/^1 failed since .*: Connection refused$/).waitFor();
    });

    test("a ping signed with the new secret says what was seen, and claims no more", async () => {
      await using page = await openWebhook("rotation", receiver.url);
      await page.getByRole("tab", { name: "Secret" }).click();
      await page.getByRole("button", { name: "Make a new secret" }).click();
      await page.getByRole("button", { name: "Ping with the new secret" }).click();
      const status = page.getByRole("status").filter({ hasText: "Ping accepted with 200" });
      await status
        .getByText("Your server replied 200 to a ping signed with the new secret alone.")
        .waitFor();
      await status.getByText("A server that checks no signatures replies the same").waitFor();
      assert.equal(await page.getByText("so your receiver has it").count(), 0);
    });
  });
}
