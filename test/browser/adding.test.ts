import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PAGE_PLACES } from "../places.ts";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

const URL = "http://127.0.0.1:9/hooks";

for (const [database, makePlace] of PAGE_PLACES) {
  describe(database, () => {
    useService({}, makePlace);
    before(async () => {
      for (const [id, title] of [
        ["castle", "The castle"],
        ["farm", "The farm"],
        ["ships", "The ships"],
      ]) {
        await service.api("PUT", `/resources/${id}`, { title, ownerId: "owner-1" });
      }
    });

    const chosen = async (page: Page): Promise<string> =>
      await page
        .getByLabel("Resource", { exact: true })
        .locator("option:checked")
        .evaluate((option) => option.textContent ?? "");
    const webhooksOf = async (resourceId: string): Promise<unknown[]> => {
      const { items } = await service.api("GET", `/resources/${resourceId}/webhooks`);
      return items as unknown[];
    };

    test("an address of a chat without messages is refused in words of the page", async () => {
      await using page = await openPage(await service.link({ path: "/add" }));
      await page.getByLabel("URL").fill("https://x.webhook.office.com/webhookb2/secret");
      await page.getByText("No messages are made for this chat yet.").first().waitFor();
      assert.equal(await page.getByText("refuses signed JSON").count(), 0);
    });

    test("the chosen resource is kept with the typed URL, over a reload and another part of the page", async () => {
      await using page = await openPage(await service.link());
      await page.getByRole("link", { name: "Add webhook" }).click();
      await page.getByLabel("URL").fill(URL);
      const other = (await chosen(page)) === "The farm" ? "The castle" : "The farm";
      await page.getByLabel("Resource", { exact: true }).selectOption({ label: other });
      await page.reload();
      await page.getByText(/^Format: /).waitFor();
      assert.equal(await chosen(page), other);
      await page.getByRole("link", { name: "Events" }).click();
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      await page.getByRole("link", { name: "Add webhook" }).click();
      await page.getByText(/^Format: /).waitFor();
      assert.equal(await page.getByLabel("URL").inputValue(), URL);
      assert.equal(await chosen(page), other);
      await page.getByRole("button", { name: "Add webhook" }).click();
      await page.getByText("Your webhook is ready").waitFor();
      assert.equal((await webhooksOf(other === "The farm" ? "farm" : "castle")).length, 1);
    });

    test("a resource of a link that is not there any more is named by its id, and another can be chosen", async () => {
      const link = await service.link({ path: "/add?resourceId=sold-since" });
      await using page = await openPage(link);
      const field = page.getByLabel("Resource", { exact: true });
      await field.waitFor();
      assert.equal(await chosen(page), "sold-since");
      await page.getByLabel("URL").fill(`${URL}/sold-since`);
      await page.getByRole("button", { name: "Add webhook" }).click();
      await page.getByText("There is no such resource.").first().waitFor();
      await field.selectOption({ label: "The castle" });
      await page.waitForFunction(() => location.hash.endsWith("resourceId=castle"));
      await page.getByRole("button", { name: "Add webhook" }).click();
      await page.getByText("Your webhook is ready").waitFor();
    });

    test("if the reply to Add is lost, the form says that the webhook is there", async () => {
      const link = await service.link({ resourceId: "ships" });
      await using page = await openPage(link);
      await page.getByRole("link", { name: "Add webhook" }).click();
      await page.getByLabel("URL").fill(URL);
      await page.getByText(/^Format: /).waitFor();
      const remark = page.getByText("Another webhook of this resource has the same address");
      assert.equal(await remark.count(), 0);
      await page.route("**/resources/ships/webhooks", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      await page.getByRole("button", { name: "Add webhook" }).click();
      await page.getByText("The service cannot be reached").waitFor();
      await remark.waitFor();
      assert.equal((await webhooksOf("ships")).length, 1);
    });

    test("if the reply to Save is lost, the error goes once the page sees that it was stored", async () => {
      const id = await shop.addWebhook("castle", { url: `${URL}/saved` });
      const path = `/webhooks/${id}?tab=settings`;
      await using page = await openPage(await service.link({ path }));
      let reads = true;
      await page.route(`**/webhooks/${id}**`, async (route) => {
        const isSave = route.request().method() === "PATCH";
        if (isSave) await route.fetch();
        if (isSave || !reads) await route.abort("connectionreset");
        else await route.continue();
      });
      await page.getByLabel("Description").fill("Sales");
      reads = false;
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const told = page.getByText("The service cannot be reached");
      await told.first().waitFor();
      reads = true;
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await told.first().waitFor({ state: "detached" });
      assert.equal(await page.getByLabel("Description").inputValue(), "Sales");
      await page.getByLabel("Description").fill("Sales and refunds");
      assert.equal(await told.count(), 0);
    });

    test("a URL that cannot be checked while it is typed is told so", async () => {
      await using page = await openPage(await service.link({ resourceId: "castle" }));
      await page.getByRole("link", { name: "Add webhook" }).click();
      await page.route("**/check-url**", async (route) => await route.abort("connectionreset"));
      await page.getByLabel("URL").fill(`${URL}/unchecked`);
      await page.getByText("This URL cannot be checked just now.").waitFor();
    });

    test("a webhook's own URL, entered again, is not said to be another's", async () => {
      const url = `${URL}/own`;
      const { id } = await service.api("POST", "/resources/castle/webhooks", { url });
      const path = `/webhooks/${String(id)}?tab=settings`;
      await using page = await openPage(await service.link({ path }));
      await page.getByLabel("URL").fill(url);
      await page.getByText(/^Format: /).waitFor();
      assert.equal(await page.getByText(/Another webhook .* same address/).count(), 0);
    });

    test("a URL that is too long is refused, and not cut", async () => {
      await using page = await openPage(await service.link({ resourceId: "castle" }));
      await page.getByRole("link", { name: "Add webhook" }).click();
      const long = `${URL}/${"a".repeat(3000)}`;
      // As a paste: `fill` does not mind a limit of the field.
      await page.getByLabel("URL").focus();
      await page.keyboard.insertText(long);
      assert.equal(await page.getByLabel("URL").inputValue(), long);
      await page.getByText("The URL must not be longer than 2048 characters.").first().waitFor();
    });
  });
}
