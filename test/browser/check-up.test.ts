import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PAGE_PLACES } from "../places.ts";
import { startVerifyingReceiver, type VerifyingReceiver } from "../verifying-receiver.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { receiver, service, useService } from "./use-service.ts";

let verifying: VerifyingReceiver;
before(async () => {
  verifying = await startVerifyingReceiver();
});
after(async () => await verifying.close());

for (const [name, place] of PAGE_PLACES) {
  describe(`whether a server refuses forgeries, on ${name}`, () => {
    useService({}, place);

    async function openCheck(url: string) {
      await service.api("PUT", "/resources/castle", { title: "The castle", ownerId: "owner-1" });
      const made = await service.api("POST", "/resources/castle/webhooks", { url });
      verifying.secrets.push(String(made["secret"]));
      const path = `/webhooks/${String(made["id"])}?tab=verify`;
      return await openPage(await service.link({ resourceId: "castle", path }));
    }

    test("is found out by one button, by keyboard too", async () => {
      await using page = await openCheck(verifying.url);
      await page.getByRole("button", { name: "Check my server" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Your server refuses forged requests.").waitFor();
      assert.equal(await page.getByText("Right", { exact: true }).count(), 11);
      await hasNoViolation(page);
    });

    test("cannot be told of one that accepts all, and is not tried where the ping is refused", async () => {
      receiver.status = 200;
      receiver.text = "<b>all</b> welcome";
      await using page = await openCheck(receiver.url);
      const button = page.getByRole("button", { name: "Check my server" });
      await button.click();
      await page.getByText("Cannot tell: your server replies 2xx to forged requests.").waitFor();
      assert.equal(await page.getByText("Wrong", { exact: true }).count(), 9);
      // Where the status does not tell, the replies may.
      assert.equal(await page.getByText("<b>all</b> welcome", { exact: true }).count(), 11);
      await hasNoViolation(page);

      receiver.status = 401;
      await button.click();
      await page.getByText("did not accept the genuine ping").waitFor();
      await page
        .getByText("Your server replied with an error. Most likely the signature did not fit")
        .waitFor();
    });
  });
}
