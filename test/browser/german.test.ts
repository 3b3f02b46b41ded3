import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { en } from "../../packages/ui/src/words/en/index.ts";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage } from "./open-page.ts";
import { browser, service, useSampleOwner } from "./use-service.ts";

useSampleOwner();

/** The English texts of more than one word. */
const ENGLISH = textsOf(en).filter((text) => /\p{L} \p{L}/u.test(text));

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** What is seen and what is read out, without code and what is marked as English. */
async function textOf(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const isMarked = (node: Node | null): boolean =>
      node?.parentElement?.closest("[lang=en], code, pre") != null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [document.title];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!isMarked(node) && !node.parentElement?.closest("script, style")) {
        texts.push(node.textContent ?? "");
      }
    }
    for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder]")) {
      for (const name of ["aria-label", "title", "placeholder"]) {
        texts.push(element.getAttribute(name) ?? "");
      }
    }
    return texts.join("\n");
  });
}

async function isGerman(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  const text = await textOf(page);
  assert.deepEqual(
    ENGLISH.filter((english) => text.includes(english)),
    [],
  );
  await hasNoViolation(page);
}

async function openGerman() {
  return await openPage(`${await service.link()}&lang=de`, { locale: "en-US" });
}

const bot = { name: "Bot of the small server", exact: true };

test("the owner's pages are in German where the link asks for it", async () => {
  await using page = await openGerman();
  await page.getByRole("link", bot).waitFor();
  await isGerman(page);

  await page.getByRole("link", { name: "Webhook hinzufügen" }).click();
  await page.getByLabel("URL").fill("http://10.0.0.1/x");
  await page.getByText("Diese Adresse ist nicht erlaubt").first().waitFor();
  await isGerman(page);

  await page.getByRole("link", { name: "Zustellungen" }).click();
  const rows = page.getByRole("list", { name: "Zustellungen" }).getByRole("link");
  await rows.nth(3).waitFor();
  await page.getByText("Als Tabelle zeigen").waitFor();
  await isGerman(page);
  await rows.filter({ hasText: "Ausstehend" }).first().click();
  await page.getByText(/^Nächster Versuch/).waitFor();
  await isGerman(page);

  await page.getByRole("link", { name: "Ereignisse", exact: true }).click();
  const events = page.getByRole("list", { name: "Ereignisse" });
  await events
    .getByRole("button", { name: /4803|4802|4801/ })
    .first()
    .click();
  await events.getByText("Zustellung", { exact: true }).first().waitFor();
  await isGerman(page);
});

test("a webhook's page and its dialogs are in German", async () => {
  await using page = await openGerman();
  await page.getByRole("link", bot).click();
  await page.getByRole("list", { name: "Zustellungen" }).getByRole("link").first().waitFor();
  await isGerman(page);
  await page.getByRole("button", { name: "Ping", exact: true }).click();
  await page.getByText("Ping mit 200 angenommen").waitFor();
  await isGerman(page);
  await page.getByRole("tab", { name: "Einstellungen" }).click();
  await page.getByText("Hinzugefügt", { exact: true }).waitFor();
  await isGerman(page);
  await page.getByRole("tab", { name: "Geheimnis" }).click();
  await page.getByText("Neues Geheimnis erzeugen").waitFor();
  await isGerman(page);
  await page.getByRole("tab", { name: "Anfragen prüfen" }).click();
  await page.getByRole("button", { name: "Meinen Server prüfen" }).click();
  await page.getByText(/^Nicht festzustellen/).waitFor();
  await isGerman(page);

  await page.getByRole("button", { name: "Anhalten", exact: true }).click();
  await page.getByRole("heading", { name: "Diesen Webhook anhalten?" }).waitFor();
  await isGerman(page);
  await page.getByRole("dialog").getByRole("button", { name: "Abbrechen" }).click();
  await page.getByRole("button", { name: "Beispiel…" }).click();
  await page.getByText("X-Market-Sample: 1").waitFor();
  await isGerman(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const item of [
    "Alles Wartende senden…",
    "Viele erneut senden…",
    "Zu anderen Ressourcen kopieren…",
    "Löschen…",
  ]) {
    await page.getByRole("button", { name: "Mehr" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await isGerman(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
});

test("on the narrowest phone no page's name is cut off, and no word is broken", async () => {
  const returnUrl = "https://market.example/resources/1";
  await using page = await openPage(`${await service.link({ returnUrl })}&lang=de`, {
    viewport: { width: 320, height: 640 },
  });
  /** Of the words of a text those that stand on more than one line. */
  const broken = async (texts: Locator): Promise<string[]> => {
    await texts.first().waitFor();
    return await texts.evaluateAll((elements) => {
      const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (text.nextNode() !== null) {
        const node = text.currentNode;
        if (!elements.some((element) => element.contains(node))) continue;
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => top));
          if (lines.size > 1) found.push(word);
        }
      }
      return found;
    });
  };
  const isNarrow = async (): Promise<void> => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  };
  const pages = page.getByRole("navigation");
  await pages.waitFor();
  const hidden = await pages.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  assert.equal(hidden, 0);
  for (const state of ["Angehalten", "Schlägt fehl"]) {
    assert.deepEqual(await broken(page.getByText(state, { exact: true })), []);
  }
  await isNarrow();
  await page.getByRole("link", { name: "Sales in our Discord", exact: true }).click();
  await page.getByRole("tab", { name: "Nachrichten" }).click();
  assert.deepEqual(await broken(page.getByRole("figure").getByRole("term")), []);
  await isNarrow();
});

test("what is wrong with a chat's message is said in German", async () => {
  await using page = await openGerman();
  await page.getByRole("link", { name: "Sales in our Discord", exact: true }).click();
  await page.getByRole("tab", { name: "Nachrichten" }).click();
  await page.getByLabel("Titel", { exact: true }).fill("{buyr}");
  await page.getByText("Den Platzhalter {buyr} gibt es hier nicht.").first().waitFor();
  await page.getByLabel("Thread").fill("12");
  await page.getByText("Die Nummer eines Threads hat 17–20 Ziffern.").waitFor();
  await isGerman(page);
});

test("numbers and dates are written as in German", async () => {
  await using page = await openGerman();
  await page.getByRole("link", { name: "Sales in our Discord", exact: true }).click();
  await page.getByRole("tab", { name: "Nachrichten" }).click();
  await page.getByRole("figure").waitFor();
  await isGerman(page);
  assert.match(await textOf(page), /Ganze Nachricht \d+ von 6\.000/);
  await page.getByRole("tab", { name: "Einstellungen" }).click();
  await page.getByText("Hinzugefügt", { exact: true }).waitFor();
  assert.match(await textOf(page), /\b\d{1,2}\.\d{1,2}\.\d{4}, \d\d:\d\d:\d\d\b/);
  await page.getByRole("link", { name: "Zustellungen" }).click();
  await page.getByRole("list", { name: "Zustellungen" }).getByRole("link").first().waitFor();
  assert.match(await textOf(page), /\bvor \d+ (Sek|Min)\b|gerade eben/);
});

test("the operator's page is in the browser's language", async () => {
  await using page = await openPage(`${service.address}/operator/`, { locale: "de-AT" });
  await page.getByLabel("API-Schlüssel").fill(service.apiKey);
  await isGerman(page);
  await page.getByRole("button", { name: "Öffnen" }).click();
  await page.getByText("Jetzt fällig").waitFor();
  await page.getByText("Hauptschlüssel").waitFor();
  await isGerman(page);
});

test("the link's language wins over the browser's, and outlasts a reload", async () => {
  const url = await service.link();
  await using page = await openPage(`${url}&lang=en`, { locale: "de-DE" });
  await page.getByRole("link", { name: "Add webhook" }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Add webhook" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
});

test("the page is in English where the German texts do not come", async () => {
  const context = await browser.newContext({ locale: "de-DE" });
  const page = await context.newPage();
  await page.route(/\/assets\/de-[^/]*\.js$/, async (route) => await route.abort());
  await page.goto(await service.link());
  await page.getByRole("link", { name: "Add webhook" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await context.close();
});
