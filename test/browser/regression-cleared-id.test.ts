/** A field for a number that is emptied to type another one must not fill itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

useService();

test("a sample is about the user id that was typed after the one before was deleted key by key", async () => {
  const path = `/webhooks/${await shop.addWebhook("castle")}`;
  await using page = await openPage(await service.link({ resourceId: "castle", path }));
  await page.getByRole("button", { name: "Sample…" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a sample" });
  const field = dialog.getByLabel("User id");
  const send = dialog.getByRole("button", { name: "Send sample" });
  await field.fill("42");
  await field.press("Backspace");
  await field.press("Backspace");
  assert.equal(await field.inputValue(), "");
  assert.ok(await send.isDisabled(), "without a user id nothing is sent");
  await field.pressSequentially("99");
  await dialog.getByText('"id": 99').waitFor();
  await send.click();
  await dialog.getByText("Your server accepted it with 200").waitFor();
  assert.match(receiver.requests.at(-1)?.body ?? "", /"user":\{"id":99\}/);
});
