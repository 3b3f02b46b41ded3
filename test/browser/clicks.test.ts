import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { type DiscordStandIn, startDiscord } from "../discord/stand-in.ts";
import { openPage } from "./open-page.ts";
import { logRows, openWebhook } from "./open-webhook.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { receiver, useBrowser } from "./use-service.ts";

/** One retries after an hour, the other gives up after a tenth of a second. */
let services: Record<"patient" | "hasty", PortalService>;
let discord: DiscordStandIn;

useBrowser();

before(async () => {
  discord = await startDiscord();
  const start = async (schedule: string) =>
    await startPortalService({
      MARKETHOOK_RETRY_SCHEDULE: schedule,
      MARKETHOOK_CHAT_ORIGINS: `discord=${discord.origin}`,
    });
  const [patient, hasty] = await Promise.all([start("1h"), start("100ms")]);
  services = { patient, hasty };
});

after(async () => {
  await Promise.all([discord.close(), services.patient.stop(), services.hasty.stop()]);
});

interface Shop {
  page: Page;
  /** Clicks, and counts it. */
  press(target: Locator): Promise<void>;
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  tab(name: string): Locator;
  see(text: string | RegExp): Promise<void>;
  type(label: string, text: string): Promise<void>;
  openWebhook(): Promise<void>;
  openDelivery(): Promise<void>;
}

interface Task {
  service?: "patient" | "hasty";
  /** The status of replies to two purchases before the task; absent: nothing was bought. */
  bought?: 200 | 500;
  /** Without a webhook from before. */
  isFirst?: true;
  /** What the webhook was added to receive; absent: all events. */
  events?: string[];
  run(shop: Shop): Promise<void>;
}

/** A secret, and not the dots that hide it. */
const SHOWN = /^[^•]{20,}$/;

/** By the names in the table of docs/reference/pages.md. */
const TASKS: Record<string, Task> = {
  "add a webhook for all events": {
    isFirst: true,
    async run({ press, link, button, type, see }) {
      await press(link("Add webhook"));
      await type("URL", receiver.url);
      await press(button("Add webhook"));
      await see("Your webhook is ready");
    },
  },
  "post into a Discord channel, and see a ping there": {
    isFirst: true,
    async run({ press, link, button, type, see }) {
      await press(link("Add webhook"));
      await type("URL", discord.addChannel("sales").url);
      await press(button("Add webhook"));
      await press(button("Ping"));
      await see("Ping posted to your chat");
    },
  },
  "see the secret when it was just added": {
    isFirst: true,
    async run({ link, button, type, page }) {
      await link("Add webhook").click();
      await type("URL", receiver.url);
      await button("Add webhook").click();
      await page.getByTestId("secret").filter({ hasText: SHOWN }).waitFor();
    },
  },
  "see the secret later": {
    async run({ press, link, button, page }) {
      await press(link(/^Edit http/));
      await press(button("Reveal secret"));
      await page.getByTestId("secret").filter({ hasText: SHOWN }).waitFor();
    },
  },
  "send a test event, and see the answer": {
    async run({ press, openWebhook: open, button, see }) {
      await open();
      await press(button("Ping"));
      await see("Ping accepted with 200");
    },
  },
  "find out whether forged requests are refused": {
    async run({ press, openWebhook: open, tab, button, see }) {
      await open();
      await press(tab("Verify requests"));
      await press(button("Check my server"));
      await see(/^Cannot tell/);
    },
  },
  "send a sample of any event, and see its body": {
    async run({ press, openWebhook: open, button, see }) {
      await open();
      await press(button("Sample…"));
      await see('"product.user.purchase"');
      await press(button("Send sample"));
      await see("Your server accepted it with 200");
    },
  },
  "see why a delivery failed": {
    bought: 500,
    async run({ openWebhook: open, openDelivery, see }) {
      await open();
      await openDelivery();
      await see("Your server replied with an error");
    },
  },
  "send a delivery again": {
    bought: 200,
    async run({ press, openWebhook: open, openDelivery, button, see }) {
      await open();
      await openDelivery();
      await press(button("Send again"));
      await see("Sent again, as a delivery of its own.");
    },
  },
  "send a waiting delivery now": {
    bought: 500,
    async run({ press, openWebhook: open, openDelivery, button, see }) {
      await open();
      await openDelivery();
      await press(button("Send now"));
      await see("Your server accepted the request");
    },
  },
  "send all waiting deliveries after an outage": {
    bought: 500,
    async run({ press, openWebhook: open, button, see }) {
      await open();
      await press(button("Ping"));
      await press(button("Send 2 now"));
      await see("All of it was sent");
    },
  },
  "send all given-up deliveries again": {
    service: "hasty",
    bought: 500,
    async run({ press, openWebhook: open, button, see }) {
      await open();
      await see("2 deliveries were given up");
      await press(button("Send them again…"));
      await press(button("Send 2 again"));
      await see("2 sent.");
    },
  },
  "send a range again": {
    service: "hasty",
    bought: 500,
    async run({ press, openWebhook: open, button, page, see }) {
      await open();
      await see("2 deliveries were given up");
      await press(button("More"));
      await press(page.getByRole("menuitem", { name: "Send many again…" }));
      await press(button("Send 2 again"));
      await see("2 sent.");
    },
  },
  "find what was sent about one buyer or order": {
    bought: 200,
    async run({ press, link, type, page }) {
      await press(link("Deliveries"));
      await logRows(page).nth(1).waitFor();
      await type("Search deliveries", "A-88213");
      await page.keyboard.press("Enter");
      await logRows(page).nth(1).waitFor({ state: "detached" });
      await logRows(page).filter({ hasText: "user 4711" }).waitFor();
    },
  },
  "see why nothing was sent": {
    bought: 200,
    events: ["product.update"],
    async run({ press, link, button, see }) {
      await press(link("Events"));
      await press(button(/purchase.*4711/i));
      await see(/not among the (webhook's )?chosen/);
    },
  },
  "send what a webhook added later has missed": {
    bought: 200,
    isFirst: true,
    async run({ press, link, button, see }) {
      await press(link("Events"));
      await press(button(/purchase.*4711/i));
      await press(button("Send missing events…"));
      await press(button(/^Send [12]$/));
      await see(/^[12] sent\./);
    },
  },
  "choose other events": {
    async run({ press, link, page, button, see }) {
      await press(link(/^Edit http/));
      await press(page.getByRole("radio", { name: "Chosen events" }));
      // The table leaves out the click that each event takes.
      await page.getByRole("checkbox", { name: /^Update/ }).click();
      await press(button("Save"));
      await see("Saved.");
    },
  },
  "change the secret": {
    async run({ press, openWebhook: open, tab, button, see }) {
      await open();
      await press(tab("Secret"));
      await press(button("Make a new secret"));
      await see("A new secret is being introduced");
    },
  },
  pause: {
    async run({ press, openWebhook: open, button, page, see }) {
      await open();
      await press(button("Pause"));
      await press(page.getByRole("dialog").getByRole("button", { name: "Pause" }));
      await see("Paused. Deliveries are held.");
    },
  },
  delete: {
    async run({ press, button, see }) {
      await press(button(/^Delete http/));
      await press(button("Delete webhook"));
      await see("Webhook deleted.");
    },
  },
};

const DOCUMENT = new URL("../../docs/reference/pages.md", import.meta.url);

/** The clicks by task: ours, and those of the others. */
function table(): Map<string, { here: number; others: number[] }> {
  const lines = readFileSync(DOCUMENT, "utf8").split("\n");
  const cells = lines
    .filter((line) => /^\| [a-z].*\|.*\d/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((row) => row.length === 8);
  return new Map(
    cells.map(([, task = "", github, stripe, svix, here]) => [
      task,
      {
        here: Number(here),
        others: [github, stripe, svix].filter((count) => count !== "–").map(Number),
      },
    ]),
  );
}

const documented = table();

test("the documentation's table and this test have the same tasks", () => {
  assert.deepEqual([...documented.keys()], Object.keys(TASKS));
});

for (const [index, [name, task]] of Object.entries(TASKS).entries()) {
  test(`${name}: as few clicks as documented, and no more than elsewhere`, async () => {
    const { here, others } = documented.get(name) ?? { here: Number.NaN, others: [] };
    assert.ok(
      others.every((count) => here <= count),
      `${here} here, ${others.join(", ")} elsewhere`,
    );
    const service = services[task.service ?? "patient"];
    await prepare(service, `shop-${index}`, task);
    await using open = await openPage(await service.link({ resourceId: `shop-${index}` }));
    let clicks = 0;
    await task.run(
      shopOn(open, () => {
        clicks += 1;
      }),
    );
    assert.equal(clicks, here);
  });
}

/** A resource of its own with a webhook, and what happened before. */
async function prepare(service: PortalService, resourceId: string, task: Task): Promise<void> {
  await service.api("PUT", `/resources/${resourceId}`, { title: "Castle", ownerId: "owner-1" });
  receiver.status = task.bought ?? 200;
  const add = async () =>
    await service.api("POST", `/resources/${resourceId}/webhooks`, {
      url: receiver.url,
      ...(task.events === undefined ? {} : { events: task.events }),
    });
  const needsLater = task.isFirst === true && task.bought !== undefined;
  if (task.isFirst !== true) await add();
  if (task.bought !== undefined) {
    const seen = receiver.requests.length;
    const events = [4711, 4712].map((id) => ({
      resourceId,
      event: "product.user.purchase",
      user: { id },
      details: { orderId: id === 4711 ? "A-88213" : "A-99999" },
    }));
    await service.api("POST", "/events", { events });
    const isSent = task.isFirst !== true && task.events === undefined;
    const attempts = task.service === "hasty" && task.bought === 500 ? 2 : 1;
    if (isSent) {
      await receiver.answered(seen + events.length * attempts);
      while ((await storedAttempts(service, resourceId)) < events.length * attempts)
        await pause(10);
    }
  }
  if (needsLater) await add();
  receiver.status = 200;
}

/** An answer is stored a moment after it has come. */
async function storedAttempts(service: PortalService, resourceId: string): Promise<number> {
  const { items } = await service.api("GET", `/deliveries?resourceId=${resourceId}`);
  return (items as { attempts: number }[]).reduce((sum, { attempts }) => sum + attempts, 0);
}

function shopOn(page: Page, onClick: () => void): Shop {
  const press = async (target: Locator): Promise<void> => {
    await target.click();
    onClick();
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).first();
  return {
    page,
    press,
    button,
    link: (name) => page.getByRole("link", { name, exact: true }).first(),
    tab: (name) => page.getByRole("tab", { name }),
    see: async (text) => await page.getByText(text).first().waitFor(),
    type: async (label, text) => await page.getByLabel(label).fill(text),
    async openWebhook() {
      await openWebhook(page);
      onClick();
    },
    openDelivery: async () => await press(logRows(page).first()),
  };
}
