import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { hasNoViolation } from "./has-no-violation.ts";
import { noteCopies, pressCopy } from "./note-copies.ts";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

const IDS = ["castle", "farm", "mill", "ships"] as const;
/** Nothing happens to the resources, so nothing is sent there. */
const URL = "http://127.0.0.1:9/hooks";

useService();

/** Four resources of a new owner, of which the first two have a webhook to the same server. Returns that of the first. */
async function makeOwner(ownerId: string): Promise<string> {
  for (const id of IDS) {
    await service.api("PUT", `/resources/${ownerId}-${id}`, { title: `The ${id}`, ownerId });
  }
  await service.api("POST", `/resources/${ownerId}-farm/webhooks`, { url: URL });
  const made = await service.api("POST", `/resources/${ownerId}-castle/webhooks`, { url: URL });
  return String(made["id"]);
}

async function openCopying(page: Page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy to my other resources…" }).click();
  return page.getByRole("dialog");
}

/** Copies a webhook to the mill, and closes the dialog before the service is asked, which is after `release`. */
async function leaveWhileCopying(page: Page) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route("**/copy", async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  const dialog = await openCopying(page);
  await dialog.getByLabel("The mill").check();
  await dialog.getByRole("button", { name: "Copy to 1" }).click();
  await asked.promise;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  return { dialog, release: released.resolve };
}

test("the list says which resources have no webhook, and adds one to them", async () => {
  await makeOwner("lister");
  await using page = await openPage(await service.link({ ownerId: "lister" }));
  await page.getByText("2 resources have no webhook").click();
  const without = page.getByRole("list", { name: "2 resources have no webhook" });
  await hasNoViolation(page);
  assert.deepEqual(await without.locator("bdi").allTextContents(), ["The mill", "The ships"]);
  await without.getByRole("link", { name: "Add: The ships" }).click();
  await page.getByLabel("URL").fill(URL);
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.getByText("1 resource has no webhook").waitFor();
});

test("resources are listed as people count: the second before the tenth", async () => {
  for (const no of [10, 2, 1]) {
    await service.api("PUT", `/resources/map-${no}`, { title: `Map ${no}`, ownerId: "counter" });
  }
  const link = await service.link({ ownerId: "counter", path: "/add" });
  await using open = await openPage(link);
  const options = open.getByLabel("Resource", { exact: true }).locator("option");
  await options.first().waitFor({ state: "attached" });
  assert.deepEqual(await options.allTextContents(), ["Map 1", "Map 2", "Map 10"]);
});

test("a webhook that is copied to all is not copied where one is, and all new secrets are copied at once", async () => {
  const id = await makeOwner("copier");
  const link = await service.link({ ownerId: "copier", path: `/webhooks/${id}` });
  await using page = await openPage(link);
  const copied = await noteCopies(page);
  const dialog = await openCopying(page);
  await dialog.getByLabel("All 2 without one").check();
  assert.deepEqual(
    await dialog
      .getByRole("group", { name: "Resources" })
      .getByRole("checkbox")
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value)),
    ["copier-mill", "copier-ships", "copier-farm"],
  );
  await dialog.getByText("Has a webhook to this host").waitFor();
  await hasNoViolation(page);
  await dialog.getByRole("button", { name: "Copy to 2" }).click();
  await pressCopy(page, "Copy all secrets: all secrets", "Copied: all secrets");
  const secrets = JSON.parse(await copied()) as Record<string, string>; // As the page says.
  const { items } = await service.api("GET", "/webhooks?ownerId=copier");
  for (const [webhookId, secret] of Object.entries(secrets)) {
    const { current } = await service.api("GET", `/webhooks/${webhookId}/secret`);
    assert.equal(secret, current);
  }
  // As the API's document says.
  const copies = (items as { id: string; resourceId: string }[]).filter(({ resourceId }) =>
    ["copier-mill", "copier-ships"].includes(resourceId),
  );
  assert.deepEqual(Object.keys(secrets).sort(), copies.map((copy) => copy.id).sort());
});

test("a resource that is chosen by itself stays so when all others are chosen, or none", async () => {
  const id = await makeOwner("chooser");
  const link = await service.link({ ownerId: "chooser", path: `/webhooks/${id}` });
  await using open = await openPage(link);
  const dialog = await openCopying(open);
  await dialog.getByLabel("The farm").check();
  await dialog.getByLabel("All 2 without one").check();
  await dialog.getByRole("button", { name: "Copy to 3" }).waitFor();
  await dialog.getByLabel("All 2 without one").uncheck();
  await dialog.getByRole("button", { name: "Copy to 1" }).waitFor();
});

test("a dialog that is closed while it copies tells of the copies, and shows their secrets when it is opened again", async () => {
  const id = await makeOwner("leaver");
  const link = await service.link({ ownerId: "leaver", path: `/webhooks/${id}` });
  await using page = await openPage(link);
  const { dialog, release } = await leaveWhileCopying(page);
  release();
  await page.getByRole("alert").getByText("Copied").waitFor();
  await openCopying(page);
  await dialog.getByText("Secret for The mill").waitFor();
});

test("a copy that is refused while its dialog is closed is not said to be made", async () => {
  const id = await makeOwner("refused");
  const link = await service.link({ ownerId: "refused", path: `/webhooks/${id}` });
  await using page = await openPage(link);
  const { dialog, release } = await leaveWhileCopying(page);
  await service.api("DELETE", "/resources/refused-mill");
  release();
  await page.getByRole("alert").getByText("Not copied.").waitFor();
  await openCopying(page);
  await dialog.getByText("Not copied.").waitFor();
  assert.equal(await page.getByText("Copied", { exact: true }).count(), 0);
});

test("of more resources than can be copied to at once, the first hundred are chosen, as the dialog says", async () => {
  const id = await makeOwner("hoarder");
  for (let no = 0; no < 100; no += 1) {
    await service.api("PUT", `/resources/hoarder-z${no}`, {
      title: `No ${no}`,
      ownerId: "hoarder",
    });
  }
  const link = await service.link({ ownerId: "hoarder", path: `/webhooks/${id}` });
  await using open = await openPage(link);
  const dialog = await openCopying(open);
  await dialog.getByLabel("The first 100 without one").check();
  await dialog.getByRole("button", { name: "Copy to 100" }).waitFor();
});
