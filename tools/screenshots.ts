import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startAnsweringReceiver } from "../test/browser/answering-receiver.ts";
import { startBrowser } from "../test/browser/browser.ts";
import { startFramingPage } from "../test/browser/framing-page.ts";
import { type PortalService, startPortalService } from "../test/browser/portal-service.ts";
import { sampleOwner } from "../test/browser/sample-owner.ts";
import { shootStates } from "./screenshot-states.ts";

/** Pictures of every page and state with sample data, in light, dark, at a phone's width and framed, and some in German, into `screenshots/`. */
const FOLDER = resolve(import.meta.dirname, "../screenshots");
const LOOKS = [
  { name: "light", colorScheme: "light", viewport: { width: 1200, height: 860 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1200, height: 860 } },
  { name: "phone", colorScheme: "light", viewport: { width: 375, height: 760 } },
] as const;

/** In the order of a walk: each begins where the one before has ended. */
const WALK: readonly (readonly [name: string, go: (page: Page) => Promise<void>])[] = [
  ["webhooks", async (page) => await page.getByText("Bot of the small server").waitFor()],
  [
    "add",
    async (page) => {
      await page.getByRole("link", { name: "Add webhook" }).click();
      await page.getByLabel("URL").fill("http://127.0.0.1:4000/hooks");
      await page.getByText("Format: JSON").waitFor();
      await page.getByLabel("Chosen events", { exact: true }).first().check();
    },
  ],
  [
    "deliveries",
    async (page) => {
      await page.getByRole("link", { name: "Deliveries" }).click();
      await page.getByRole("list", { name: "Deliveries" }).waitFor();
      await page.getByText("Show as a table").waitFor();
    },
  ],
  [
    "delivery",
    async (page) => {
      await page
        .getByRole("link", { name: /Pending/ })
        .first()
        .click();
      await page.getByText("Next attempt").waitFor();
    },
  ],
  [
    "events",
    async (page) => {
      await page.getByRole("link", { name: "Events" }).click();
      const events = page.getByRole("list", { name: "Events" });
      await events
        .getByRole("button", { name: /4803|4802/ })
        .first()
        .click();
      await events.getByText("Delivery").first().waitFor();
    },
  ],
  [
    "webhook",
    async (page) => {
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      await page.getByRole("link", { name: "Bot of the small server", exact: true }).click();
      await page.getByRole("list", { name: "Deliveries" }).waitFor();
    },
  ],
  [
    "ping",
    async (page) => {
      await page.getByRole("button", { name: "Ping", exact: true }).click();
      await page.getByText("Ping accepted").waitFor();
    },
  ],
  ["settings", async (page) => await page.getByRole("tab", { name: "Settings" }).click()],
  ["secret", async (page) => await page.getByRole("tab", { name: "Secret" }).click()],
  [
    "sample",
    async (page) => {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Send a sample…" }).click();
      await page.getByRole("dialog").getByText("X-Market-Sample: 1").waitFor();
      await page.getByRole("region", { name: "body of the sample" }).waitFor();
    },
  ],
  [
    "replay",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Send many again…" }).click();
    },
  ],
  [
    "verify",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: "Verify requests" }).click();
    },
  ],
  [
    "check-up",
    async (page) => {
      await page.getByRole("button", { name: "Check my server" }).click();
      await page.getByText(/^Cannot tell/).waitFor();
    },
  ],
  [
    "messages",
    async (page) => {
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      await page.getByRole("link", { name: "Sales in our Discord", exact: true }).click();
      await page.getByRole("tab", { name: "Messages" }).click();
      await page.getByRole("figure").waitFor();
    },
  ],
  [
    "add-discord",
    async (page) => {
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      await page.getByRole("link", { name: "Add webhook" }).click();
      const url = `https://discord.com/api/webhooks/112233445566778899/${"sample-".repeat(10)}`;
      await page.getByLabel("URL").fill(url);
      await page.getByText("Discord channel: messages are posted there").waitFor();
    },
  ],
];

const DIALOGS = new Set(["replay", "sample"]);

async function shoot(browser: Browser, service: PortalService): Promise<void> {
  for (const { name: look, ...options } of LOOKS) {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    await page.goto(await service.link());
    for (const [name, go] of WALK) {
      await go(page);
      await page.mouse.move(0, 0);
      // A dialog stands in the window's middle, not the page's.
      const fullPage = !DIALOGS.has(name);
      await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage });
    }
    await page.goto(`${service.address}/operator/`);
    await page.getByLabel("API key").fill(service.apiKey);
    await page.screenshot({ path: join(FOLDER, `key-${look}.png`) });
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Due now").waitFor();
    await page.screenshot({ path: join(FOLDER, `operator-${look}.png`), fullPage: true });
    await context.close();
  }
}

/** Where German words are longest, in all widths. */
async function shootGerman(browser: Browser, service: PortalService): Promise<void> {
  for (const { name: look, ...options } of LOOKS) {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    await page.goto(`${await service.link()}&lang=de`);
    await page.getByText("Bot of the small server").waitFor();
    await page.screenshot({ path: join(FOLDER, `webhooks-german-${look}.png`), fullPage: true });
    await page.getByRole("link", { name: "Zustellungen" }).click();
    await page.getByText("Als Tabelle zeigen").waitFor();
    await page.screenshot({ path: join(FOLDER, `deliveries-german-${look}.png`), fullPage: true });
    await context.close();
  }
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
const framing = await startFramingPage();
const service = await startPortalService({
  MARKETHOOK_RETRY_SCHEDULE: "100ms,1h",
  MARKETHOOK_CHAT_ORIGINS: "discord=http://127.0.0.1:9",
  MARKETHOOK_EMBED_ORIGINS: framing.origin,
  // Four looks of the same owner, in one minute.
  MARKETHOOK_OWNER_PINGS: "0",
});
const browser = await startBrowser();
try {
  await sampleOwner(service, receiver);
  await healthIsCounted(service);
  await shoot(browser, service);
  await shootGerman(browser, service);
  const pathOf = (name: string): string => join(FOLDER, `${name}.png`);
  for (const look of LOOKS) {
    await shootStates(browser, service, receiver, framing, { ...look, framed: false }, pathOf);
  }
  const frame = { ...LOOKS[0], name: "frame", framed: true };
  await shootStates(browser, service, receiver, framing, frame, pathOf);
  console.log(`Pictures are in ${FOLDER}`);
} finally {
  await browser.close();
  await service.stop();
  await receiver.close();
  await framing.close();
}
