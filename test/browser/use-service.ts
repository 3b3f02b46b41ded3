import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import type { Place } from "../places.ts";
import { type AnsweringReceiver, startAnsweringReceiver } from "./answering-receiver.ts";
import { startBrowser } from "./browser.ts";
import { type PortalService, startPortalService } from "./portal-service.ts";
import { sampleOwner } from "./sample-owner.ts";
import { openShop, type Shop } from "./shop.ts";

/** Those of the suite that runs now: files and their suites run one after the other. */
export let browser: Browser;
export let receiver: AnsweringReceiver;
export let service: PortalService;
export let shop: Shop;

/** Starts a browser and a receiver before the tests of a file or suite, and ends them afterwards. */
export function useBrowser(): void {
  before(async () => {
    [browser, receiver] = await Promise.all([startBrowser(), startAnsweringReceiver()]);
  });
  after(async () => {
    await Promise.all([browser.close(), receiver.close()]);
  });
}

type Env = Record<string, string>;

/** The same with a service. `env`: its settings, as a function if they are known only when the receiver runs. */
export function useService(env: Env | (() => Env) = {}, makePlace?: () => Promise<Place>): void {
  before(async () => {
    receiver = await startAnsweringReceiver();
    const settings = typeof env === "function" ? env() : env;
    [service, browser] = await Promise.all([
      startPortalService(settings, makePlace),
      startBrowser(),
    ]);
    shop = openShop(service, receiver);
  });
  after(async () => {
    await Promise.all([browser.close(), service.stop(), receiver.close()]);
  });
}

/** The same with the sample owner. */
export function useSampleOwner(): void {
  useService({
    MARKETHOOK_RETRY_SCHEDULE: "100ms,1h",
    MARKETHOOK_CHAT_ORIGINS: "discord=http://127.0.0.1:9",
  });
  before(async () => await sampleOwner(service, receiver));
}
