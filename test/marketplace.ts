import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** A marketplace's first steps, over HTTP, as one would do them by hand. */
export interface Marketplace {
  webhookIds: string[];
  secrets: string[];
}

/** For about half a minute, a database may stand still. */
const MOST_TRIES = 60;
const AGAIN_MS = 500;
const NOTHING_STORED = "Nothing of this request was stored.";

/** As a marketplace does: reports have keys, and a 503 is repeated where doing it twice is the same as doing it once. */
export async function call(
  address: string,
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const isReport = method === "POST" && path.endsWith("/events");
  const sent = isReport ? withKeys(body as Report | { events: Report[] }) : body;
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    if (response.ok) return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const isHarmless = method !== "POST" || isReport || text.includes(NOTHING_STORED);
    if (response.status !== 503 || !isHarmless || tries === MOST_TRIES)
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    await pause(AGAIN_MS);
  }
}

type Report = Readonly<Record<string, unknown>>;

function withKeys(body: Report | { events: Report[] }): object {
  const keyed = (report: Report): Report => ({ idempotencyKey: randomUUID(), ...report });
  return Array.isArray(body.events) ? { events: body.events.map(keyed) } : keyed(body);
}

export async function setUpMarketplace(
  address: string,
  apiKey: string,
  resourceId: string,
  urls: readonly string[],
): Promise<Marketplace> {
  await call(address, apiKey, "PUT", `/resources/${resourceId}`, {
    title: "Größe 🎉 “Plugin”",
    subtitle: "",
    ownerId: "owner-1",
  });
  const webhookIds: string[] = [];
  const secrets: string[] = [];
  for (const url of urls) {
    const webhook = await call(address, apiKey, "POST", `/resources/${resourceId}/webhooks`, {
      url,
    });
    webhookIds.push(String(webhook["id"]));
    secrets.push(String(webhook["secret"]));
  }
  return { webhookIds, secrets };
}
