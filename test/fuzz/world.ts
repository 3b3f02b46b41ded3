import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";
import type { Place } from "../places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { readApi, type Api } from "./operations.ts";

/** At most as many of each are remembered; the newest replace the oldest. */
const REMEMBERED = 64;
const RESOURCES = [
  ["map-1", "owner-1"],
  ["map-2", "owner-1"],
  ["map-3", "owner-2"],
] as const;

/** A real service with some things in it, and what is known of them. */
export interface World {
  service: ServiceProcess;
  address: string;
  api: Api;
  receiverUrl: string;
  apiKey: string;
  /** Authorization headers: name and value. */
  actors: Record<"key" | "eventsOnly" | "revoked" | "owner" | "bound" | "foreign", string>;
  /** Ids that exist or did, by the kind of thing as paths have it. */
  ids: Record<string, string[]>;
  cursors: string[];
  /** Remembers ids and cursors of an answer. */
  learn(body: string): void;
  /** Makes again what requests have deleted, disabled or ended. */
  repair(): Promise<void>;
  /** Resident memory of the service in MiB; null where the platform does not tell. */
  memory(): number | null;
  close(): Promise<void>;
}

export async function openWorld(place: Place): Promise<World> {
  const receiver = await startReceiver();
  const service = await startServiceProcess({
    ...place.env,
    // Whatever URL a request gets past the checks: nothing leaves this machine.
    MARKETHOOK_DRY_RUN: "true",
    // So that requests can come from many addresses, and these preparations from their own.
    MARKETHOOK_TRUST_PROXY: "127.0.0.1",
  });
  const { address } = service;
  const ids: World["ids"] = {
    resources: RESOURCES.map(([id]) => id),
    webhooks: [],
    events: [],
    deliveries: [],
    "portal-sessions": [],
    "api-keys": [],
  };
  const actors = { key: apiKey, eventsOnly: "", revoked: "", owner: "", bound: "", foreign: "" };
  const cursors: string[] = [];

  async function call(
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        "x-forwarded-for": "192.0.2.1",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    learn(text);
    if (!response.ok && response.status < 409) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  }

  /** With these texts in the answer: an actor without its token would only be refused, whatever it asks for. */
  async function make<Member extends string>(
    path: string,
    body: object,
    ...members: Member[]
  ): Promise<Record<Member, string>> {
    const answer = await call("POST", path, body);
    for (const member of members) {
      if (typeof answer[member] !== "string")
        throw new Error(`POST ${path} has no ${member}: ${JSON.stringify(answer)}`);
    }
    return answer as Record<Member, string>; // As just checked.
  }

  async function openSession(ownerId: string, resourceId?: string): Promise<string> {
    const { url } = await make("/portal-sessions", { ownerId, resourceId }, "url");
    const code = /mhc_\w+/.exec(url)?.[0];
    return (await make("/portal-sessions/exchange", { code }, "token")).token;
  }

  function learn(body: string): void {
    for (const [id] of body.matchAll(/\b(?:wh|evt|dlv|ps|key)_[0-9a-z]{4,40}\b/gi)) {
      remember(ids[KINDS[id.slice(0, id.indexOf("_"))] ?? ""] ?? [], id);
    }
    for (const [, cursor] of body.matchAll(/"(?:nextCursor|cursor)":"([\w-]+)"/g)) {
      if (cursor !== undefined) remember(cursors, cursor);
    }
  }

  async function repair(): Promise<void> {
    for (const [id, ownerId] of RESOURCES) {
      await call("PUT", `/resources/${id}`, { title: "T", ownerId });
      const { items } = await call("GET", `/resources/${id}/webhooks?limit=200`);
      const there = Array.isArray(items) ? (items as { id: string }[]) : [];
      // Room for the requests' own, below the limit of a resource.
      for (const webhook of there.slice(0, Math.max(0, there.length - 20))) {
        await call("DELETE", `/webhooks/${webhook.id}`).catch(() => ({}));
      }
      await call("POST", `/resources/${id}/webhooks`, { url: receiver.url });
      const event = { event: "product.user.purchase", user: { id: 1 } };
      await call("POST", `/resources/${id}/events`, event);
    }
    await call("GET", "/deliveries?limit=50");
    actors.owner = await openSession("owner-1");
    actors.bound = await openSession("owner-1", "map-1");
    actors.foreign = await openSession("owner-2");
    const name = "n";
    const limited = await make("/api-keys", { name, scopes: ["events:write"] }, "id", "key");
    const revoked = await make("/api-keys", { name, scopes: ["admin"] }, "id", "key");
    await call("DELETE", `/api-keys/${revoked.id}`);
    actors.eventsOnly = limited.key;
    actors.revoked = revoked.key;
    // The one that all this works with is not to be revoked.
    ids["api-keys"] = [revoked.id, limited.id];
    cursors.push("AAAA");
  }

  const world: World = {
    service,
    address,
    api: await readApi(address),
    receiverUrl: receiver.url,
    apiKey,
    actors,
    ids,
    cursors,
    learn,
    repair,
    memory: () => residentMiB(service.pid),
    async close() {
      await service.kill();
      receiver.server.closeAllConnections();
      receiver.server.close();
      await place.drop();
    },
  };
  await repair();
  return world;
}

const KINDS: Readonly<Record<string, string>> = {
  wh: "webhooks",
  evt: "events",
  dlv: "deliveries",
  ps: "portal-sessions",
};

function remember(list: string[], item: string): void {
  if (list.includes(item)) return;
  if (list.length >= REMEMBERED) list.shift();
  list.push(item);
}

async function startReceiver(): Promise<{ server: Server; url: string }> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const status = count % 50 === 0 ? 500 : count % 997 === 0 ? 410 : 204;
    request.resume().on("end", () => response.writeHead(status).end());
  });
  const port = await listenOnLoopback(server);
  return { server, url: `http://127.0.0.1:${port}/hooks` };
}

function residentMiB(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return null;
  }
}
