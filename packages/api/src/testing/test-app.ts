import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { MarkethookError } from "@markethook/protocol";
import type { AcceptItem, AcceptResult, ActingStore, AuditActor, Store } from "@markethook/store";
import { type MemoryStore, openMemoryStore } from "@markethook/store/testing";
import type { AppDeps, PingResult, Readiness, TargetCheck } from "../app-deps.ts";
import { createApp } from "../create-app.ts";
import type { ConnectionLimits } from "../request/connections/connection-limits.ts";
import { hashToken, makeApiKey, makePortalCode, makePortalToken } from "../auth/token.ts";

/** Of connections, where a test does not say otherwise. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 2000,
  perAddress: 1000,
  idleMs: 72_000,
  unreadMs: 60_000,
  graceMs: 1000,
};

export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

interface LogLine {
  level: "debug" | "info" | "warn" | "error";
  fields: Record<string, unknown>;
  message: string;
}

/** What a test can look at and turn, next to the store. */
interface World {
  lines: LogLine[];
  faults: { where: string; error: unknown }[];
  wakes: number;
  nowMs: number;
  readiness: Readiness;
  target: TargetCheck;
  pings: { webhookId: string; secret: string }[];
  /** Replaces what accepts events. */
  accept: (items: AcceptItem[]) => Promise<AcceptResult[]>;
}

export interface TestApp {
  app: FastifyInstance;
  world: World;
  /** The real one, in memory. It is closed when the app is no longer used. */
  store: MemoryStore;
  /** A key with every scope. */
  key: string;
  /** Sends with that key, unless the options bring their own headers. */
  send: (options: InjectOptions & { key?: string }) => Promise<LightMyRequestResponse>;
  makeKey: (scopes: string[]) => Promise<string>;
  /** The token of an open portal session. */
  makeSession: (ownerId: string, resourceId?: string) => Promise<string>;
  deps: AppDeps;
}

export async function createTestApp(change: Partial<AppDeps> = {}): Promise<TestApp> {
  const time = { ms: START_MS };
  const clock = clockOf(time);
  const world: World = {
    lines: [],
    faults: [],
    wakes: 0,
    get nowMs() {
      return time.ms;
    },
    set nowMs(ms) {
      time.ms = ms;
    },
    readiness: { ready: true, checks: { store: "writable" } },
    target: { ok: true, resolved: true },
    pings: [],
    accept: async (items) => (await store.events.accept(items, null)).results,
  };
  const store = await openMemoryStore({ now: clock });
  const deps = { ...createDeps(world, store, clock), ...change };
  const app = await createApp(deps);
  let keys = 0;
  let sessions = 0;

  async function makeKey(scopes: string[]): Promise<string> {
    const key = makeApiKey(randomBytes);
    const id = `key_${String(keys).padStart(20, "0")}`;
    keys += 1;
    await store.apiKeys.create({
      id,
      name: "test",
      scopes,
      hash: hashToken(key),
      expiresAt: null,
    });
    return key;
  }

  async function makeSession(ownerId: string, resourceId?: string): Promise<string> {
    const token = makePortalToken(randomBytes);
    const code = makePortalCode(randomBytes);
    const id = `ps_${String(sessions).padStart(20, "0")}`;
    sessions += 1;
    await store.portalSessions.create({
      id,
      ownerId,
      resourceId: resourceId ?? null,
      returnUrl: null,
      revealsSecrets: true,
      codeHash: hashToken(code),
      codeLifetimeMs: 60_000,
      lifetimeMs: 3_600_000,
      longestMs: 43_200_000,
    });
    await store.portalSessions.exchange(hashToken(code), hashToken(token));
    return token;
  }

  const key = await makeKey(["admin"]);
  return {
    app,
    world,
    store,
    key,
    makeKey,
    makeSession,
    deps,
    send: ({ key: other, ...options }) =>
      app.inject({
        ...options,
        headers: { authorization: `Bearer ${other ?? key}`, ...options.headers },
      }),
  };
}

/** Has nothing of the app, so that an app that is no longer used goes together with its store. */
function clockOf(time: { ms: number }): () => number {
  return () => time.ms;
}

function createDeps(world: World, store: MemoryStore, clock: () => number): AppDeps {
  const write = (level: LogLine["level"]) => (fields: Record<string, unknown>, message: string) =>
    void world.lines.push({ level, fields, message });
  return {
    retentionMs: 30 * 86_400_000,
    attemptCounts: store.attemptCounts,
    store,
    accept: (items) => world.accept(items),
    ping: async (webhookId, ownerId, secret) => {
      const webhook = await store.webhooks.get(webhookId, ownerId);
      const secrets = await store.webhooks.revealSecrets(webhookId, ownerId);
      if (secret === "next" && secrets.next === null) {
        throw new MarkethookError("rotation_not_open");
      }
      world.pings.push({ webhookId, secret });
      return pingResult(webhook.url);
    },
    mayGo: async () => true,
    sendSample: async (webhookId, ownerId, { event, dryRun }) => {
      const webhook = await store.webhooks.get(webhookId, ownerId);
      const result = pingResult(webhook.url);
      return { ...result, sent: !dryRun, sentence: `The receiver had a ${event}.` };
    },
    checkWebhook: async (webhookId, ownerId) => {
      const webhook = await store.webhooks.get(webhookId, ownerId);
      return {
        verdict: "accepts_forgeries",
        sentence: "Your server accepts forged requests.",
        advice: "Verify the signature.",
        probes: [
          {
            probe: "no_signature",
            title: "No signature at all",
            kind: "forged",
            finding: "wrong",
            sentence: "A request without any signature was accepted.",
            status: 200,
            body: "ok",
            ms: 4,
          },
        ],
        ping: pingResult(webhook.url),
      };
    },
    // The store relies on it that what is saved is a URL.
    checkTarget: async (url) =>
      URL.canParse(url)
        ? world.target
        : { ok: false, code: "url_invalid", sentence: "It is no URL." },
    verify: ({ secrets }) =>
      secrets[0] === "right"
        ? { valid: true, event: "ping" }
        : { valid: false, cause: { code: "other_secret", sentence: "It.", advice: "Do." } },
    operator: async () => ({
      oldestDueSeconds: 0,
      deliveriesPerSecond: 0,
      attempts: [{ host: "receiver.example", outcome: "ok", count: 1 }],
      leaseMs: 8000,
      uptimeSeconds: 1,
      masterKeyIds: ["abcdefgh"],
      noticePosts: null,
    }),
    publicUrl: () => "https://hooks.example",
    securityContact: null,
    development: false,
    dryRun: false,
    allowTargets: [],
    disableAfterMs: 432_000_000,
    wake: () => void (world.wakes += 1),
    nowSeconds: () => Math.floor(clock() / 1000),
    nowMs: clock,
    elapsedMs: clock,
    randomBytes,
    metrics: async () => ({ contentType: "text/plain; version=0.0.4", text: "up 1\n" }),
    readiness: async () => world.readiness,
    isStopping: () => false,
    connections: CONNECTION_LIMITS,
    connectionCut: () => {},
    bodyBytes: 64 * 1024 * 1024,
    keyRate: 0,
    ownerLimits: {
      pings: 0,
      sends: 0,
      checkups: 0,
      urlChecks: 0,
      bulkActions: 0,
      changes: 0,
    },
    serviceName: "Service",
    baseUrl: "https://market.example",
    version: "0.0.0-test",
    cursorKey: randomBytes(32),
    trustProxy: false,
    fault: (where, error) => void world.faults.push({ where, error }),
    logger: {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    },
  };
}

function pingResult(url: string): PingResult {
  return {
    deliveryId: "dlv_1abcdefghij",
    eventId: "evt_1abcdefghij",
    outcome: "delivered",
    status: 200,
    sentence: "The receiver answered 200.",
    sent: true,
    timings: { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 3.5, totalMs: 4 },
    request: {
      method: "POST",
      url,
      headers: [
        ["Host", "receiver.example"],
        ["X-Service-Signature", "5".repeat(64)],
        ["webhook-signature", "v1,c2lnbmVk"],
      ],
      body: "{}",
    },
    response: { status: 200, headers: [["server", "test"]], body: "ok" },
  };
}

/**
 * Replaces methods of what the store does in somebody's name, until the test ends. They are made for each request, so
 * they cannot be mocked in place.
 */
export function replaceActing<Part extends keyof ActingStore>(
  t: TestContext,
  store: Store,
  part: Part,
  methods: (real: ActingStore[Part]) => Partial<ActingStore[Part]>,
): void {
  const actingAs = store.actingAs.bind(store);
  t.mock.method(store, "actingAs", (actor: AuditActor): ActingStore => {
    const acting = actingAs(actor);
    return { ...acting, [part]: { ...acting[part], ...methods(acting[part]) } };
  });
}
