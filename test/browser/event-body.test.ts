import assert from "node:assert/strict";
import { test } from "node:test";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

useService();

test("while events are chosen each shows the body that would be sent, about the own resource and user", async () => {
  await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "1001" });
  const link = await service.link({ ownerId: "1001", resourceId: "castle", path: "/add" });
  await using page = await openPage(link);
  await page.getByRole("radio", { name: "Chosen events" }).check();
  await page.getByRole("button", { name: "Show the body of Purchase", exact: true }).click();
  const body = page.getByRole("region", { name: "body of Purchase" });
  await page.getByText("Exact", { exact: true }).click();
  const text = (await body.textContent()) ?? "";
  assert.match(text, /^\{"event":"product\.user\.purchase","time":\d+,"nonce":"[\w-]{16}",/);
  assert.match(
    text,
    /"url":"https:\/\/market\.example\/resource\/castle"\},"user":\{"id":1001\}\}\}$/,
  );
  await hasNoViolation(page);
  await page.getByRole("button", { name: "Hide the body of Purchase", exact: true }).click();
  await body.waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Purchase product.user.purchase", exact: true }).check();
});
