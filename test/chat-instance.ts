import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  DEFAULT_CHAT_OPTIONS,
  type ChatOptions,
  type ChatOrigins,
  chatFormatOf,
} from "@markethook/chat";
import {
  createDispatcher,
  createSender,
  DEFAULT_SETTINGS,
  type Dispatcher,
  type DispatcherSettings,
  type Observer,
  parseAllowList,
} from "@markethook/dispatcher";
import { SILENT } from "../packages/dispatcher/src/wiring/testing/recorder.ts";
import { makeRandomId, makeSecret, makeTag } from "@markethook/protocol";
import {
  type AcceptItem,
  type DeliveryFilter,
  type DeliverySummary,
  openSqlite,
  type SqliteStore,
  type Webhook,
} from "@markethook/store";

/** The sending side with a store of its own, in this process: its pace can be set, so that tests are quick. */
export interface ChatInstance {
  store: SqliteStore;
  dispatcher: Dispatcher;
  /** Of the store, as it lies on the disk. */
  folder: string;
  attempts: Parameters<Observer["attempt"]>[0][];
  faults: string[];
  resource(ownerId?: string): Promise<string>;
  /** By the address that an owner pastes; any other URL gets the signed JSON. */
  webhook(resourceId: string, url: string, options?: Partial<ChatOptions>): Promise<Webhook>;
  report(items: readonly AcceptItem[]): Promise<void>;
  deliveries(filter?: Partial<DeliveryFilter>): Promise<DeliverySummary[]>;
  /** Resolves as soon as it is so; asked after every stored batch. */
  until(predicate: () => boolean | Promise<boolean>): Promise<void>;
  /** Until so many deliveries have been delivered, given up or cancelled. */
  untilEnded(count: number): Promise<void>;
}

export async function startChatInstance(
  t: TestContext,
  chatOrigins: ChatOrigins,
  settings: Partial<DispatcherSettings> = {},
  /** How far its clocks are ahead, in milliseconds. The test may change it. */
  ahead = { ms: 0 },
): Promise<ChatInstance> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-chat-"));
  const baseUrl = "https://market.example";
  const store = await openSqlite({ folder, baseUrl, masterKeys: [randomBytes(32)] });
  const now = (): number => performance.now() + ahead.ms;
  const attempts: ChatInstance["attempts"] = [];
  const faults: string[] = [];
  const listeners = new Set<() => void>();
  const dispatcher = await createDispatcher({
    store,
    sender: createSender({
      now,
      attemptTimeoutMs: 10_000,
      allow: parseAllowList("127.0.0.0/8"),
      blockedPorts: new Set(),
    }),
    settings: {
      ...DEFAULT_SETTINGS,
      instanceName: "test",
      version: "1",
      serviceName: "Market",
      userAgent: "Markethook/test",
      publicUrl: "https://hooks.market.example",
      chatOrigins,
      baseUrl,
      schedule: [50, 50, 50],
      pollMs: 20,
      // Five hundred events beside two kill campaigns; nobody here repeats what could not be confirmed in time.
      intakeTimeoutMs: 60_000,
      ...settings,
    },
    observer: {
      ...SILENT,
      attempt: (attempt) => void attempts.push(attempt),
      settled: () => listeners.forEach((listener) => listener()),
      fault: (where, error) => void faults.push(`${where}: ${String(error)}`),
    },
    now,
    wallNow: () => Date.now() + ahead.ms,
    random: () => 0.5,
    randomBytes,
  });
  t.after(async () => {
    await dispatcher.stop();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await dispatcher.start();
  let resources = 0;

  const instance: ChatInstance = {
    store,
    dispatcher,
    folder,
    attempts,
    faults,
    async resource(ownerId = "owner-1") {
      const id = `resource-${(resources += 1)}`;
      await store.resources.put([{ id, ownerId, title: `Castle ${resources}`, subtitle: "" }]);
      return id;
    },
    async webhook(resourceId, url, options = {}) {
      const found = chatFormatOf(url);
      const chat =
        found !== null && "target" in found.recognised
          ? { ...found.recognised.target, format: found.format.name }
          : null;
      return await store.webhooks.create(
        {
          id: makeRandomId("wh_", randomBytes),
          resourceId,
          ...(chat === null
            ? { url, format: "json" }
            : {
                url: chat.url,
                format: chat.format,
                shownUrl: chat.shownUrl,
                chat: JSON.stringify({ ...DEFAULT_CHAT_OPTIONS, ...options }),
              }),
          events: null,
          description: "",
          secret: makeSecret(randomBytes),
        },
        null,
      );
    },
    async report(items) {
      const results = await dispatcher.accept(items);
      const refused = results.filter((result) => result.kind !== "accepted");
      if (refused.length > 0) throw new Error(`not accepted: ${JSON.stringify(refused[0])}`);
    },
    async deliveries(filter = {}) {
      const page = { beforeSeq: null, limit: 500 };
      return (await store.log.list({ ownerId: null, ...filter }, page)).items;
    },
    async until(predicate) {
      for (;;) {
        // Before it is asked: what is stored meanwhile must not be missed.
        const next = Promise.withResolvers<void>();
        listeners.add(next.resolve);
        if (await predicate()) return;
        await next.promise;
        listeners.delete(next.resolve);
      }
    },
    async untilEnded(count) {
      const over = new Set(["delivered", "dead", "cancelled"]);
      await instance.until(
        async () =>
          (await instance.deliveries()).filter(({ state }) => over.has(state)).length === count,
      );
    },
  };
  return instance;
}

export function purchase(resourceId: string, userId: number, details?: object): AcceptItem {
  return {
    resourceId,
    name: "product.user.purchase",
    time: 1_767_312_000,
    tag: makeTag(randomBytes),
    userId,
    ...(details === undefined ? {} : { details: JSON.stringify(details) }),
  };
}

export function removal(resourceId: string, userId: number, details?: object): AcceptItem {
  return { ...purchase(resourceId, userId, details), name: "product.user.purchaseRemoved" };
}
