import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { size } from "../size.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { openPage } from "./open-page.ts";
import { receiver, service, shop, useService } from "./use-service.ts";

/** Where a layout breaks first. */
const PHONE = ["a phone's", 360] as const;

const strings = hostileStrings();
const cut = (text: string, length: number): string => [...text].join("").slice(0, length).trim();

useService({ MARKETHOOK_RETRY_SCHEDULE: "100ms" });

before(async () => {
  await service.api("PUT", "/resources", {
    items: strings.map((text, index) => ({
      id: `r${index}`,
      title: cut(text, 400) || "x",
      subtitle: cut(text, 900),
      ownerId: index < 60 ? "owner-1" : "owner-2",
    })),
  });
  // A webhook for a part of them: each page of the list shows as many.
  for (let index = 0; index < 30; index += 1) {
    await service.api("POST", `/resources/r${index}/webhooks`, {
      url: `${receiver.url}?x=${encodeURIComponent(strings[index] ?? "")}`,
      description: cut(strings[strings.length - 1 - index] ?? "", 250),
    });
  }
  // The receiver's answers are somebody else's text too.
  receiver.status = 500;
  receiver.text = strings.join("\n").repeat(2);
  await service.api("POST", "/events", {
    events: Array.from({ length: 30 }, (_, index) => ({
      resourceId: `r${index}`,
      event: "product.update",
      previous: fileVersion(`p${index}`, strings[index] ?? ""),
      update: {
        ...fileVersion(`u${index}`, strings[index] ?? ""),
        title: cut(strings[index] ?? "", 400) || "x",
        description: `${strings[index] ?? ""}${"very long ".repeat(1000)}`,
      },
      details: {
        buyerName: cut(strings[index] ?? "", 250),
        orderId: cut(strings[index] ?? "", 250),
        reason: cut(strings[index] ?? "", 250),
      },
    })),
  });
  await receiver.answered(30);
});

function fileVersion(id: string, text: string) {
  return {
    id,
    version: cut(text, 90) || "1",
    size: "1",
    fileType: cut(text, 30) || "zip",
    branch: "release",
    time: 1_767_323_045,
  };
}

/** Nothing ran, and nothing sticks out to the side. */
async function staysCalm(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    /** Texts with a mark of direction that reaches what stands next to them. */
    function looseMarks(): string[] {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const loose: string[] = [];
      while (texts.nextNode() !== null) {
        const { textContent, parentElement } = texts.currentNode;
        const isLoose =
          /\p{Bidi_Control}/u.test(textContent ?? "") &&
          parentElement?.closest("bdi, option, textarea, script") === null;
        if (isLoose)
          loose.push(
            `${parentElement?.tagName} ${parentElement?.className} ${textContent?.slice(0, 40)}`,
          );
      }
      return loose.slice(0, 5);
    }
    return {
      pwned: "pwned" in globalThis,
      scripts: document.querySelectorAll("body script:not([type=module]), iframe, base").length,
      wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      loose: looseMarks(),
    };
  });
  assert.deepEqual(found, { pwned: false, scripts: 0, wider: 0, loose: [] }, where);
}

for (const [name, width] of size<readonly (readonly [name: string, width: number])[]>(
  [PHONE],
  [PHONE, ["wide", 1200]],
)) {
  test(`two hundred hostile strings run nothing and break no layout, ${name} width`, async () => {
    const viewport = { width, height: 800 };
    await using page = await openPage(await service.link(), { viewport });
    await page
      .getByRole("list", { name: /^Webhooks of/ })
      .nth(29)
      .waitFor();
    await staysCalm(page, "list");
    await page.getByRole("link", { name: "Add webhook" }).click();
    await page.getByLabel("Resource", { exact: true }).waitFor();
    await staysCalm(page, "add");

    await page.getByRole("link", { name: "Deliveries" }).click();
    const rows = page.getByRole("list", { name: "Deliveries" }).getByRole("link");
    await rows.nth(5).waitFor();
    await staysCalm(page, "log");
    for (const index of [0, 3, 7]) {
      await rows.nth(index).click();
      await page.getByRole("region", { name: "reply body" }).first().waitFor();
      await staysCalm(page, `delivery ${index}`);
      await page.getByRole("button", { name: "Back" }).click();
    }
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("list", { name: "Events" }).getByRole("button").first().click();
    await page.getByRole("list", { name: "Events" }).getByText("Delivery").waitFor();
    await staysCalm(page, "events");

    await page.getByRole("link", { name: "Webhooks", exact: true }).click();
    await page
      .getByRole("list", { name: /^Webhooks of/ })
      .nth(13)
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: "Ping", exact: true }).click();
    await page.getByRole("region", { name: "reply body" }).waitFor();
    await staysCalm(page, "webhook with ping");
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    await staysCalm(page, "settings");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Copy to my other resources…" }).click();
    await page.getByRole("checkbox").nth(50).waitFor();
    await staysCalm(page, "copy");
  });
}

test("a name that is written from right to left begins where the lines of the page begin", async () => {
  await service.api("PUT", "/resources/right", { title: "Right", ownerId: "owner-3" });
  const description = "بوت الخادم";
  const made = await service.api("POST", "/resources/right/webhooks", {
    url: receiver.url,
    description,
  });
  await shop.buy("right");
  const path = `/webhooks/${String(made["id"])}`;
  await using page = await openPage(await service.link({ ownerId: "owner-3", path }));
  /** From the beginning of what the name stands in to its first letter. */
  const indent = async (name: Locator): Promise<number> =>
    await name.evaluate((element) => {
      const text = document.createRange();
      text.selectNodeContents(element);
      const around = element.parentElement?.getBoundingClientRect();
      return Math.round(text.getBoundingClientRect().left - (around?.left ?? 0));
    });
  assert.equal(await indent(page.getByRole("heading", { level: 1 }).getByText(description)), 0);
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("button", { name: /^Purchase user 1/ }).click();
  assert.equal(await indent(page.getByText(description)), 0);
});
