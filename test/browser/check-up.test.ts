import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { signStandard } from "@markethook/protocol";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { startBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";

/** Verifies each request with the secret that it is given, or none at all while it is given none. */
async function startVerifyingReceiver() {
  const receiver = { url: "", secret: "", text: "thanks", close: async (): Promise<void> => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const header = (name: string): string => String(request.headers[name] ?? "");
      const at = Number(header("webhook-timestamp"));
      const body = Buffer.concat(chunks);
      const expected = signStandard(receiver.secret, header("webhook-id"), at, body);
      const fits =
        header("webhook-signature") === expected && Math.abs(Date.now() / 1000 - at) < 300;
      response.writeHead(fits || receiver.secret === "" ? 200 : 401).end(receiver.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return receiver;
}

let browser: Browser;
let receiver: Awaited<ReturnType<typeof startVerifyingReceiver>>;
before(async () => {
  [browser, receiver] = await Promise.all([startBrowser(), startVerifyingReceiver()]);
});
after(() => Promise.all([browser.close(), receiver.close()]));

async function hasNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  assert.deepEqual(
    violations.map(({ id }) => id),
    [],
  );
}

for (const [name, place] of [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const) {
  describe(`whether a server refuses forgeries, on ${name}`, () => {
    let service: PortalService;
    before(async () => {
      service = await startPortalService({}, place);
    });
    after(async () => {
      await service.stop();
    });

    test("is found out by one button, by keyboard too, and the verdict changes with the server", async () => {
      await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "owner-1" });
      const made = await service.api("POST", "/resources/castle/webhooks", { url: receiver.url });
      const path = `/webhooks/${String(made["id"])}?tab=verify`;
      await using open = await openPage(
        browser,
        await service.link({ resourceId: "castle", path }),
      );
      const { page } = open;
      receiver.secret = String(made["secret"]);
      const button = page.getByRole("button", { name: "Check my server" });
      await button.focus();
      await page.keyboard.press("Enter");
      await page.getByText("Your server refuses forged requests.").waitFor();
      assert.equal(await page.getByText("Right", { exact: true }).count(), 11);
      await hasNoViolation(page);

      receiver.secret = "";
      receiver.text = "<b>all</b> welcome";
      await button.click();
      await page.getByText("Cannot tell: your server replies 2xx to forged requests.").waitFor();
      assert.equal(await page.getByText("Wrong", { exact: true }).count(), 9);
      // Where the status does not tell, the replies may.
      assert.equal(await page.getByText("<b>all</b> welcome", { exact: true }).count(), 11);
      await hasNoViolation(page);

      receiver.secret = "another one 12345678";
      await button.click();
      await page.getByText("did not accept the genuine ping").waitFor();
    });
  });
}
