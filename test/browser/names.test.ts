import { before, test } from "node:test";
import { openPage } from "./open-page.ts";
import { service, shop, useService } from "./use-service.ts";

/** To the page of a webhook. */
let path: string;

useService();

before(async () => {
  await shop.addResource("farm");
  path = `/webhooks/${await shop.addWebhook("castle", { events: ["product.user.purchase"] })}`;
});

test("groups of fields have a name: chosen events, resources to copy to, ways to a new secret", async () => {
  await using page = await openPage(await service.link({ path }));
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("group", { name: "Chosen events" }).getByRole("checkbox").first().waitFor();
  await page.getByRole("tab", { name: "Secret" }).click();
  const ways = page.getByRole("radiogroup", { name: "How to change the secret" });
  await ways.getByRole("radio", { name: "It leaked: switch now" }).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy to my other resources…" }).click();
  const resources = page.getByRole("dialog").getByRole("group", { name: "Resources" });
  await resources.getByRole("checkbox", { name: "The farm" }).waitFor();
});

for (const [lang, tab, save, close] of [
  ["en", "Settings", "Save", "Close"],
  ["de", "Einstellungen", "Speichern", "Schließen"],
] as const) {
  test(`a message that comes up can be closed by a button that has a name, lang=${lang}`, async () => {
    const link = `${await service.link({ path })}&lang=${lang}`;
    await using page = await openPage(link);
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("button", { name: save, exact: true }).click();
    const message = page.getByRole("alert");
    await message.getByRole("button", { name: close, exact: true }).click();
    await message.waitFor({ state: "detached" });
  });
}
