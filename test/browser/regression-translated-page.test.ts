import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openPage } from "./open-page.ts";
import { openWebhook } from "./open-webhook.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

before(() => shop.addWebhook("castle"));

/** As a browser's translation does: an element in the place of each text, also of those that come later. */
function translate(way: string): void {
  const put = (text: Text): void => {
    const font = document.createElement("font");
    font.append(`«${text.data}»`);
    if (way === "replaced") text.replaceWith(font);
    else {
      text.before(font);
      text.remove();
    }
  };
  const translateAll = (from: Node): void => {
    const walker = document.createTreeWalker(from, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    for (const text of found) {
      const isDone = text.parentElement?.closest("font, textarea, [translate=no]") !== null;
      if (!isDone && text.data.trim() !== "") put(text);
    }
  };
  translateAll(document.body);
  new MutationObserver(() => translateAll(document.body)).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
  });
}

for (const way of ["replaced", "put in front, then removed"]) {
  test(`a page that the browser translates goes on working and says what is true, with texts ${way}`, async () => {
    await using page = await openPage(await service.link());
    await openWebhook(page);
    await page
      .getByText("In all: nothing sent.")
      .or(page.getByText(/^In all/))
      .waitFor();
    await page.evaluate(translate, way);
    const press = async (name: string): Promise<void> =>
      await page
        .getByRole("button")
        .filter({ hasText: `«${name}»` })
        .click();
    await press("Ping");
    await page.getByRole("heading", { name: "«Ping accepted with 200»" }).waitFor();
    await press("Close");
    await page.getByRole("heading", { name: "«Ping" }).waitFor({ state: "detached" });
    const states = page.getByRole("banner").or(page.locator("main header")).last();
    await press("Pause");
    await page.getByRole("dialog").getByRole("button", { name: "«Pause»" }).click();
    await states.getByText("«Paused»").waitFor();
    assert.equal(await states.getByText("Active").count(), 0);
    await page.getByRole("tab", { name: "Secret" }).click();
    await press("Reveal");
    await page
      .getByTestId("secret")
      .filter({ hasText: /^[A-Za-z0-9]{48}$/ })
      .waitFor();
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByRole("textbox", { name: "URL" }).fill("http://10.0.0.1/");
    await page
      .getByText(/«This address is not allowed/)
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await page.getByText(/«Format: JSON/).waitFor();
    assert.equal(await page.getByText("Checking").count(), 0);
    assert.equal(await page.getByText(/This address is not allowed/).count(), 0);
    await press("Resume");
    await page.getByRole("dialog").getByRole("button", { name: "«Resume»" }).click();
    await states.getByText("«Active»").waitFor();
  });
}
