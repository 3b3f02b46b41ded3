import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PAGE_PLACES } from "../places.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { holdReads } from "./hold-reads.ts";
import { openPage } from "./open-page.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { useBrowser } from "./use-service.ts";

const CHOSEN = "product.user.purchase";

useBrowser();

for (const [database, makePlace] of PAGE_PLACES) {
  describe(database, () => {
    let service: PortalService;
    before(async () => {
      service = await startPortalService({}, makePlace);
    });
    after(async () => {
      await service.stop();
    });

    async function makeWebhook(resourceId: string): Promise<string> {
      await service.api("PUT", `/resources/${resourceId}`, { title: "T", ownerId: "owner-1" });
      const webhook = { url: "http://127.0.0.1:9/x", description: "the old words" };
      return String(
        (await service.api("POST", `/resources/${resourceId}/webhooks`, webhook))["id"],
      );
    }
    const settings = async (id: string): Promise<string> =>
      await service.link({ path: `/webhooks/${id}?tab=settings` });
    const describeAs = async (page: Page, words: string): Promise<void> =>
      await page.getByLabel("Description").fill(words);
    const save = async (page: Page): Promise<void> => {
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").first().waitFor();
    };

    test("a description saved in one tab leaves the events chosen in another as they are", async () => {
      const id = await makeWebhook("both");
      await using one = await openPage(await settings(id));
      await using other = await openPage(await settings(id));
      await one.getByLabel("Description").waitFor();
      await other.getByLabel("Chosen events", { exact: true }).first().check();
      await other.getByRole("checkbox", { name: /product\.user\.purchase$/ }).check();
      await save(other);
      await describeAs(one, "my new words");
      await save(one);
      const now = await service.api("GET", `/webhooks/${id}`);
      assert.deepEqual([now["events"], now["description"]], [[CHOSEN], "my new words"]);
      await one.getByRole("checkbox", { name: /purchase$/, checked: true }).waitFor();
    });

    test("two who change the same field are shown both, and decide", async () => {
      const id = await makeWebhook("same");
      await using page = await openPage(await settings(id));
      await using other = await openPage(await settings(id));
      await describeAs(page, "mine");
      await describeAs(other, "theirs");
      const hear = await holdReads(page, id);
      await save(other);
      await page.getByRole("button", { name: "Save" }).click();
      hear();
      await page.getByText("This was changed elsewhere meanwhile").waitFor();
      await page.getByText("Description is now: theirs").waitFor();
      const described = async () => (await service.api("GET", `/webhooks/${id}`))["description"];
      assert.equal(await described(), "theirs");
      await hasNoViolation(page);
      await page.getByRole("button", { name: "Keep my changes" }).click();
      const hearToo = await holdReads(other, id);
      await save(page);
      assert.equal(await described(), "mine");

      await describeAs(other, "theirs again");
      await other.getByRole("button", { name: "Save" }).click();
      hearToo();
      await other.getByText("Description is now: mine").waitFor();
      await other.getByRole("button", { name: "Use the saved version" }).click();
      assert.equal(await other.getByLabel("Description").inputValue(), "mine");
    });

    test("two who enter URLs of the same host are told, and the first stays until one decides", async () => {
      const id = await makeWebhook("paths");
      await using one = await openPage(await settings(id));
      await using other = await openPage(await settings(id));
      const enter = async (page: Page, path: string): Promise<void> =>
        await page.getByRole("textbox", { name: "URL" }).fill(`http://127.0.0.1:9/${path}`);
      const whole = async () => (await service.api("GET", `/webhooks/${id}/url`))["url"];
      await enter(one, "mine");
      await enter(other, "theirs");
      const hear = await holdReads(one, id);
      await save(other);
      await one.getByRole("button", { name: "Save" }).click();
      hear();
      await one.getByText("URL is now another one: http://127.0.0.1:9/…").waitFor();
      assert.equal(await whole(), "http://127.0.0.1:9/theirs");
      await one.getByRole("button", { name: "Keep my changes" }).click();
      await save(one);
      assert.equal(await whole(), "http://127.0.0.1:9/mine");
    });

    test("a secret that another tab changes is followed, and a refusal shows why", async () => {
      const id = await makeWebhook("secret");
      const link = async () => await service.link({ path: `/webhooks/${id}?tab=secret` });
      await using one = await openPage(await link());
      await using page = await openPage(await link());
      const press = async (on: Page, name: string): Promise<void> =>
        await on.getByRole("button", { name, exact: true }).click();
      await press(page, "Reveal secret");
      const shown = page.getByTestId("secret").first();
      await shown.filter({ hasText: /^[A-Za-z0-9]{48}$/ }).waitFor();
      const before = (await shown.textContent()) ?? "";

      let hear = await holdReads(page, id);
      await press(one, "Make a new secret");
      await one.getByText("A new secret is being introduced").waitFor();
      await press(page, "Make a new secret");
      hear();
      await page.getByText("A new secret is being introduced").waitFor();

      hear = await holdReads(page, id);
      await press(one, "Switch now");
      await one.getByRole("button", { name: "Make a new secret" }).waitFor();
      await press(page, "Switch now");
      hear();
      await page.getByRole("button", { name: "Make a new secret" }).waitFor();
      await shown.filter({ hasText: /^[A-Za-z0-9]{48}$/, hasNotText: before }).waitFor();
      const { current } = await service.api("GET", `/webhooks/${id}/secret`);
      assert.equal(await shown.textContent(), current);
    });

    test("what is typed survives a change of part, a reload and the end of a session, for its owner alone", async () => {
      const id = await makeWebhook("typed");
      await using page = await openPage(await settings(id));
      const typed = async (): Promise<string> => await page.getByLabel("Description").inputValue();
      await describeAs(page, "half a sentence");
      await page.getByRole("tab", { name: "Secret" }).click();
      await page.getByRole("tab", { name: "Settings" }).click();
      assert.equal(await typed(), "half a sentence");
      await page.reload();
      assert.equal(await typed(), "half a sentence");
      const { items } = await service.api("GET", "/portal-sessions?ownerId=owner-1");
      for (const session of items as { id: string }[]) {
        await service.api("DELETE", `/portal-sessions/${session.id}`);
      }
      // The page may hear of it by itself before there is a tab to click.
      const tab = page.getByRole("tab", { name: "Deliveries" });
      const clicked = tab.click({ timeout: 5000 }).catch(() => undefined);
      await page.getByRole("heading", { name: "Your session has ended" }).waitFor();
      await clicked;
      await page.goto(await settings(id));
      assert.equal(await typed(), "half a sentence");
      await page.goto(await service.link({ ownerId: "owner-2" }));
      await page.getByText("This tab shows another account now").waitFor();
      await page.goto(await settings(id));
      assert.equal(await typed(), "the old words");
    });
  });
}
