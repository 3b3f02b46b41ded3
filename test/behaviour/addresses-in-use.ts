import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import {
  createDispatcher,
  createSender,
  DEFAULT_SETTINGS,
  parseAllowList,
} from "@markethook/dispatcher";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { SILENT } from "../../packages/dispatcher/src/wiring/testing/recorder.ts";
import { makeRandomId, makeSecret, makeTag, WEBHOOK_ID_PREFIX } from "@markethook/protocol";
import type { Store, Webhook } from "@markethook/store";

const ACTOR = { kind: "api_key", id: "key_1", name: "a key", requestId: null } as const;

/** Addresses as platforms and owners give them, each with a token of its own. */
const KINDS: readonly ((token: string) => string)[] = [
  (token) => `https://hooks.slack.com/services/T00000000/B00000000/${token}`,
  (token) => `https://x.webhook.office.com/webhookb2/7f@8a/IncomingWebhook/${token}/9b`,
  (token) => `https://api.telegram.org/bot1234567890:${token}/sendMessage?chat_id=1`,
  (token) => `https://bot.example/hook?shop=7&token=${token}`,
  (token) => `http://bot.example:8443/${token}`,
];

function makeToken(): string {
  return randomBytes(24).toString("hex");
}

async function makeWebhook(store: Store, resourceId: string, url: string): Promise<Webhook> {
  return await store.actingAs(ACTOR).webhooks.create(
    {
      id: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
      resourceId,
      url,
      format: "json",
      events: null,
      description: "",
      secret: makeSecret(randomBytes),
    },
    null,
  );
}

/** Creates, copies, changes, imports, reveals and deletes webhooks of all kinds. Answers all tokens. */
export async function manageAddresses(store: Store): Promise<string[]> {
  const tokens: string[] = [];
  const acting = store.actingAs(ACTOR);
  for (const [i, kind] of KINDS.entries()) {
    const [first, second, brought] = [makeToken(), makeToken(), makeToken()];
    tokens.push(first, second, brought);
    const resourceIds = [`managed-${i}`, `copied-${i}`, `imported-${i}`];
    await store.resources.put(
      resourceIds.map((id) => ({ id, ownerId: "o", title: "T", subtitle: "" })),
    );
    const [resourceId = "", otherId = "", importId = ""] = resourceIds;
    const { id } = await makeWebhook(store, resourceId, kind(first));
    const other = { id: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes), resourceId: otherId };
    await acting.webhooks.copy(id, null, { ...other, secret: makeSecret(randomBytes) });
    await acting.webhooks.change(id, null, { url: kind(second) });
    await acting.webhooks.revealUrl(id, null);
    await acting.webhooks.delete(id, null);
    const record = {
      kind: "webhook",
      resourceId: importId,
      importId,
      events: null,
      description: "",
      secret: makeSecret(randomBytes),
      state: "active",
    } as const;
    const newId = makeRandomId(WEBHOOK_ID_PREFIX, randomBytes);
    await acting.imports.run([{ ...record, newId, url: kind(first) }], { dryRun: false });
    await acting.imports.run([{ ...record, newId, url: kind(brought) }], { dryRun: false });
  }
  return tokens;
}

/**
 * Pings webhooks with such paths at a receiver of this machine, and sends events there, some of which are tried again. It
 * redirects, and repeats the address in header and body. Answers all tokens, and what the receiver was sent.
 */
export async function sendToAddresses(
  store: Store,
): Promise<{ tokens: string[]; pinged: { sent: string; url: string }[]; logged: string[] }> {
  const bodies: string[] = [];
  const logged: string[] = [];
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const { url = "" } = request;
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      bodies.push(body);
      response.statusCode = seen.has(url) ? 302 : 500;
      seen.add(url);
      response.setHeader("Location", `https://elsewhere.example${url}`);
      response.end(`Cannot POST ${url}, nor ${decodeURIComponent(url)}\0`);
    });
  });
  const port = await listenOnLoopback(server);
  const settled = Promise.withResolvers<void>();
  let ended = 0;
  const dispatcher = await createDispatcher({
    store,
    sender: createSender({
      now: () => performance.now(),
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
      publicUrl: "https://market.example",
      baseUrl: "https://market.example",
      schedule: [10],
      pollMs: 20,
    },
    observer: {
      ...SILENT,
      attempt(attempt) {
        logged.push(JSON.stringify(attempt));
        if (attempt.next === "dead") ended += 1;
        if (ended === KINDS.length) settled.resolve();
      },
    },
    now: () => performance.now(),
    wallNow: Date.now,
    random: () => 0.5,
    randomBytes,
  });
  const tokens: string[] = [];
  const pinged: { sent: string; url: string }[] = [];
  try {
    for (const [i, kind] of KINDS.entries()) {
      const token = makeToken();
      tokens.push(token);
      const resourceId = `sent-${i}`;
      await store.resources.put([{ id: resourceId, ownerId: "o", title: "T", subtitle: "" }]);
      const { pathname, search } = new URL(kind(token));
      const url = `http://127.0.0.1:${port}${pathname}${search}`;
      const { id } = await makeWebhook(store, resourceId, url);
      logged.push(JSON.stringify(await dispatcher.ping(id, null, "current")));
      pinged.push({ sent: bodies.at(-1) ?? "", url });
    }
    await dispatcher.start();
    await dispatcher.accept(
      KINDS.map((_, i) => ({
        name: "product.user.purchase",
        resourceId: `sent-${i}`,
        time: 1_700_000_000,
        tag: makeTag(randomBytes),
        userId: 1,
      })),
    );
    await settled.promise;
  } finally {
    await dispatcher.stop();
    server.close();
    server.closeAllConnections();
  }
  return { tokens, pinged, logged };
}
