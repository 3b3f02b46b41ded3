import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startAnsweringReceiver } from "../test/browser/answering-receiver.ts";
import { startBrowser } from "../test/browser/browser.ts";
import { type PortalService, startPortalService } from "../test/browser/portal-service.ts";
import { sampleOwner } from "../test/browser/sample-owner.ts";
import { de } from "../packages/ui/src/words/de/index.ts";
import { en, type Words } from "../packages/ui/src/words/en/index.ts";

/**
 * Pictures of every page with sample data, in English and German, in light, dark and at a phone's width, into
 * `screenshots/`.
 */
const FOLDER = resolve(import.meta.dirname, "../screenshots");
const LOOKS = [
  { name: "light", colorScheme: "light", viewport: { width: 1200, height: 860 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1200, height: 860 } },
  { name: "phone", colorScheme: "light", viewport: { width: 375, height: 760 } },
] as const;

/** In the order of a walk: each begins where the one before has ended. */
const WALK: readonly (readonly [name: string, go: (page: Page, t: Words) => Promise<void>])[] = [
  ["webhooks", async (page) => await page.getByText("Bot of the small server").waitFor()],
  [
    "add",
    async (page, t) => {
      await page.getByRole("link", { name: t.webhooks.addWebhook }).click();
      await page.getByLabel("URL").fill("http://127.0.0.1:4000/hooks");
      await page.getByText(/^Format: /).waitFor();
      await page.getByLabel(t.webhooks.chosenEvents, { exact: true }).first().check();
    },
  ],
  [
    "deliveries",
    async (page, t) => {
      await page.getByRole("link", { name: t.app.deliveries }).click();
      await page.getByRole("list", { name: t.app.deliveries }).waitFor();
      await page.getByText(t.activity.asTable).waitFor();
    },
  ],
  [
    "delivery",
    async (page, t) => {
      await page.getByRole("link", { name: t.deliveries.states.pending }).first().click();
      await page.getByText(/^(Next attempt|Nächster Versuch)/).waitFor();
    },
  ],
  [
    "events",
    async (page, t) => {
      await page.getByRole("link", { name: t.app.events, exact: true }).click();
      const events = page.getByRole("list", { name: t.app.events });
      await events
        .getByRole("button", { name: /4803|4802/ })
        .first()
        .click();
      await events.getByText(t.deliveries.delivery).first().waitFor();
    },
  ],
  [
    "webhook",
    async (page, t) => {
      await page.getByRole("link", { name: t.app.webhooks, exact: true }).click();
      await page.getByRole("link", { name: "Bot of the small server", exact: true }).click();
      await page.getByRole("list", { name: t.app.deliveries }).waitFor();
    },
  ],
  [
    "ping",
    async (page, t) => {
      await page.getByRole("button", { name: t.webhooks.ping, exact: true }).click();
      await page.getByText(t.ping.accepted(200)).waitFor();
    },
  ],
  [
    "settings",
    async (page, t) => await page.getByRole("tab", { name: t.webhooks.tabs.settings }).click(),
  ],
  [
    "secret",
    async (page, t) => await page.getByRole("tab", { name: t.webhooks.tabs.secret }).click(),
  ],
  [
    "sample",
    async (page, t) => {
      await page.getByRole("button", { name: t.webhooks.sendSample }).click();
      await page.getByRole("dialog").getByText("X-Market-Sample: 1").waitFor();
      const { title } = t.shared.events["product.user.purchase"];
      await page.getByRole("region", { name: t.sample.bodyOf(title) }).waitFor();
    },
  ],
  [
    "replay",
    async (page, t) => {
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: t.webhooks.more }).click();
      await page.getByRole("menuitem", { name: t.webhooks.sendMany }).click();
    },
  ],
  [
    "verify",
    async (page, t) => {
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: t.webhooks.tabs.verify }).click();
    },
  ],
  [
    "check-up",
    async (page, t) => {
      await page.getByRole("button", { name: t.verify.check }).click();
      await page.getByText(/^(Cannot tell|Nicht festzustellen)/).waitFor();
    },
  ],
  [
    "messages",
    async (page, t) => {
      await page.getByRole("link", { name: t.app.webhooks, exact: true }).click();
      await page.getByRole("link", { name: "Sales in our Discord", exact: true }).click();
      await page.getByRole("tab", { name: t.webhooks.tabs.messages }).click();
      await page.getByRole("figure").waitFor();
    },
  ],
  [
    "add-discord",
    async (page, t) => {
      await page.getByRole("link", { name: t.app.webhooks, exact: true }).click();
      await page.getByRole("link", { name: t.webhooks.addWebhook }).click();
      const url = `https://discord.com/api/webhooks/112233445566778899/${"sample-".repeat(10)}`;
      await page.getByLabel("URL").fill(url);
      await page.getByText(t.webhooks.isChat("")).waitFor();
    },
  ],
];

const DIALOGS = new Set(["replay", "sample"]);

async function walk(
  browser: Browser,
  service: PortalService,
  look: (typeof LOOKS)[number],
  { locale, suffix, words }: { locale: string; suffix: string; words: Words },
): Promise<void> {
  const { name: _, ...options } = look;
  const context = await browser.newContext({ ...options, locale, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const picture = (name: string): string => join(FOLDER, `${name}-${suffix}${look.name}.png`);
  await page.goto(await service.link());
  for (const [name, go] of WALK) {
    await go(page, words);
    await page.mouse.move(0, 0);
    // A dialog stands in the window's middle, not the page's.
    await page.screenshot({ path: picture(name), fullPage: !DIALOGS.has(name) });
  }
  await page.goto(`${service.address}/operator/`);
  await page.getByLabel(words.operator.apiKey).fill(service.apiKey);
  await page.screenshot({ path: picture("key") });
  await page.getByRole("button", { name: words.operator.open }).click();
  await page.getByText(words.operator.dueNow).waitFor();
  await page.getByRole("list", { name: words.activity.legend }).waitFor();
  await page.screenshot({ path: picture("operator"), fullPage: true });
  await context.close();
}

/** Attempts are counted every two seconds. */
async function healthIsCounted(service: PortalService): Promise<void> {
  for (;;) {
    const { items } = (await service.api("GET", "/webhooks")) as {
      items: { health: { lastAttempt: unknown } }[];
    };
    if (items.some(({ health }) => health.lastAttempt !== null)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const receiver = await startAnsweringReceiver();
const service = await startPortalService({
  MARKETHOOK_RETRY_SCHEDULE: "100ms,1h",
  MARKETHOOK_CHAT_ORIGINS: "discord=http://127.0.0.1:9",
  // Many looks of the same owner, in one minute.
  MARKETHOOK_OWNER_PINGS: "0",
  MARKETHOOK_OWNER_CHECKUPS: "0",
  MARKETHOOK_OWNER_CHANGES: "0",
});
const browser = await startBrowser();
try {
  await sampleOwner(service, receiver);
  await healthIsCounted(service);
  for (const look of LOOKS) {
    await walk(browser, service, look, { locale: "en-GB", suffix: "", words: en });
    await walk(browser, service, look, { locale: "de-DE", suffix: "german-", words: de });
  }
  console.log(`Pictures are in ${FOLDER}`);
} finally {
  await browser.close();
  await service.stop();
  await receiver.close();
}
