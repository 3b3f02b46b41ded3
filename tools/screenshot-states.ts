import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
import type { AnsweringReceiver } from "../test/browser/answering-receiver.ts";
import type { FramingPage } from "../test/browser/framing-page.ts";
import type { PortalService } from "../test/browser/portal-service.ts";

/** What a look needs to come about. */
interface Scene {
  service: PortalService;
  receiver: AnsweringReceiver;
  page: Page;
  /** The page of ours: the window's, or a frame's. */
  view: Page | Frame;
}
type State = readonly [name: string, go: (scene: Scene) => Promise<void>];

const BOT = "Bot of the small server";

/** Replies wait for it while a picture is taken. */
let gate = Promise.withResolvers<undefined>();

async function openBot({ view }: Scene): Promise<void> {
  await view.getByRole("link", { name: "Webhooks", exact: true }).click();
  await view.getByRole("link", { name: BOT, exact: true }).click();
}

async function botId(service: PortalService): Promise<string> {
  const { items } = await service.api("GET", "/webhooks");
  const bots = items as { id: string; description: string }[];
  return bots.find(({ description }) => description === BOT)?.id ?? "";
}

/** Looks that a walk through the pages does not come by; each begins where the one before has ended. */
const STATES: readonly State[] = [
  [
    "dialog",
    async ({ view }) => {
      await view
        .getByRole("button", { name: /^Delete/ })
        .first()
        .click();
      await view.getByText("This cannot be undone").waitFor();
    },
  ],
  [
    "news",
    async (scene) => {
      const { view, service } = scene;
      await view.getByRole("button", { name: "Cancel" }).click();
      await openBot(scene);
      // Where nothing hovers, rows stay only when they were scrolled to.
      const row = view.getByRole("list", { name: "Deliveries" }).getByRole("link").nth(6);
      await row.evaluate((element) => element.scrollIntoView({ block: "start" }));
      await row.hover();
      const event = { event: "product.user.purchase", user: { id: 4711 } };
      await service.api("POST", "/resources/castle/events", event);
      await view.getByRole("button", { name: "Show 1 new delivery" }).waitFor();
    },
  ],
  [
    "reloaded",
    async ({ page, view }) => {
      await view.getByRole("tab", { name: "Settings" }).click();
      await view.getByLabel("Description").fill("Bot of the big server");
      await (view === page ? page.reload() : page.frames()[1]?.evaluate("location.reload()"));
      await view.getByRole("button", { name: "Discard" }).waitFor();
    },
  ],
  [
    "conflict",
    async ({ view, service }) => {
      const path = `/webhooks/${await botId(service)}`;
      await service.api("PATCH", path, { description: "Somebody else's words" });
      await view.getByRole("button", { name: "Save" }).click();
      await view.getByText("This was changed elsewhere meanwhile").waitFor();
      await service.api("PATCH", path, { description: BOT });
    },
  ],
  [
    "failures",
    async ({ view }) => {
      await view.getByRole("link", { name: "Webhooks", exact: true }).click();
      await view.getByRole("link", { name: "Old server", exact: true }).click();
      // The chart above comes later, and moves what is below it.
      await view.getByRole("list", { name: "Legend" }).waitFor();
      await view.getByRole("list", { name: "Causes" }).scrollIntoViewIfNeeded();
    },
  ],
  [
    "replies-again",
    async (scene) => {
      const { view, service, receiver } = scene;
      receiver.status = 500;
      // With its retry a moment later.
      const failed = receiver.answered(receiver.requests.length + 2);
      const event = { event: "product.user.purchase", user: { id: 4720 } };
      await service.api("POST", "/resources/castle/events", event);
      await failed;
      receiver.status = 200;
      await openBot(scene);
      await view.getByRole("button", { name: "Ping", exact: true }).click();
      await view.getByText(/replies again\. Send the/).waitFor();
    },
  ],
  [
    "sending",
    async ({ view, receiver }) => {
      receiver.gate = gate.promise;
      await view.getByRole("button", { name: /^Send .* now$/ }).click();
      await view.getByText(/of \d+ sent/).waitFor();
    },
  ],
  [
    "sent",
    async ({ view, receiver }) => {
      gate.resolve(undefined);
      gate = Promise.withResolvers();
      receiver.gate = null;
      await view.getByRole("heading", { name: "All of it was sent" }).waitFor();
    },
  ],
  [
    "better-address",
    async ({ view, receiver }) => {
      receiver.status = 308;
      receiver.headers = { location: `https://127.0.0.1:${receiver.port}/moved` };
      await view.getByRole("button", { name: "Ping", exact: true }).click();
      await view.getByRole("button", { name: "Use the new address…" }).click();
      await view.getByRole("dialog").getByText("/moved").waitFor();
      receiver.status = 200;
      receiver.headers = {};
    },
  ],
  [
    "beside",
    async ({ page, view }) => {
      await view.getByRole("button", { name: "Cancel" }).click();
      await view.getByRole("link", { name: "Deliveries", exact: true }).click();
      const rows = view.getByRole("list", { name: "Deliveries" }).getByRole("link");
      await rows.first().waitFor();
      // Only a window can be that wide; the others show the log alone.
      if (view !== page || (page.viewportSize()?.width ?? 0) < 1000) return;
      await page.setViewportSize({ width: 1680, height: 950 });
      await rows
        .filter({ hasText: /Delivered.*Purchase/ })
        .first()
        .click();
      await view.getByRole("region", { name: "Delivery", exact: true }).waitFor();
      await view.getByRole("heading", { name: "Attempts" }).waitFor();
    },
  ],
  [
    "session-ending",
    async ({ page, view }) => {
      await page.clock.fastForward("56:00");
      await view.getByText(/Your session ends/).waitFor();
    },
  ],
  [
    "session-ended",
    async ({ page, view }) => {
      await page.clock.fastForward("06:00");
      await view.getByRole("heading", { name: "Your session has ended" }).waitFor();
    },
  ],
  [
    "no-session",
    async ({ page, view, service }) => {
      await (view === page ? page : (page.frames()[1] ?? page)).goto(`${service.address}/portal/`);
      await view.getByRole("heading", { name: "Open this page from your resource" }).waitFor();
    },
  ],
  [
    "no-webhooks",
    async ({ page, view, service }) => {
      await service.api("PUT", "/resources/new", { title: "New one", ownerId: "owner-2" });
      const link = await service.link({ ownerId: "owner-2", resourceId: "new" });
      await (view === page ? page : (page.frames()[1] ?? page)).goto(link);
      await view.getByRole("list", { name: "No webhooks yet" }).waitFor();
    },
  ],
];

/** `framed`: in a frame of a marketplace's page. */
export async function shootStates(
  browser: Browser,
  service: PortalService,
  receiver: AnsweringReceiver,
  framing: FramingPage,
  look: { name: string; framed: boolean } & BrowserContextOptions,
  pathOf: (name: string) => string,
): Promise<void> {
  const { name: lookName, framed, ...options } = look;
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  await page.clock.install();
  const link = await service.link();
  framing.show(link);
  await page.goto(framed ? framing.origin : link);
  const view = framed ? page.frames()[1] : page;
  if (view === undefined) throw new Error("the marketplace's page has no frame");
  await view.getByText(BOT).waitFor();
  for (const [name, go] of STATES) {
    await go({ service, receiver, page, view });
    if (name !== "news") await page.mouse.move(0, 0);
    await page.screenshot({ path: pathOf(`${name}-${lookName}`) });
  }
  await context.close();
}
