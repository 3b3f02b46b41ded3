import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeApiKey } from "@markethook/api/tokens";
import { MAIN } from "../../test/built-command.ts";

/**
 * Each sender of this folder reports to the real service through a proxy that loses answers, and a receiver counts
 * what arrives. The business side is played by the test; what is shown is that each event exists and arrives once.
 */
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "markethook-outbox-"));
const key = makeApiKey(randomBytes);
/** Of this process: where compiled modules are kept, too, without which each run of a sender compiles all of its own. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };

let service: ChildProcess;
let address: string;
let receiver: Server;
/** `webhook-id` and buyer of each request, by resource. */
const arrived = new Map<string, { id: string; user: number }[]>();
let onArrival: () => void = () => undefined;

before(async () => {
  receiver = await listen((request, response) => {
    void readBody(request).then((body) => {
      const { payload } = JSON.parse(body) as {
        payload: { product: { id: string }; user: { id: number } };
      };
      const { id } = payload.product;
      const seen = arrived.get(id) ?? [];
      seen.push({ id: String(request.headers["webhook-id"]), user: payload.user.id });
      arrived.set(id, seen);
      response.writeHead(204).end();
      onArrival();
    });
  });
  service = spawn(process.execPath, [MAIN, "serve"], {
    env: {
      PATH,
      MARKETHOOK_DATA_DIR: join(folder, "data"),
      MARKETHOOK_PORT: "0",
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_API_KEY: key,
      MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  address = await listening(service);
});

after(async () => {
  service.kill("SIGTERM");
  const [code] = (await once(service, "exit")) as [number | null];
  await close(receiver);
  rmSync(folder, { recursive: true, force: true });
  assert.equal(code, 0, "the service stops in order");
});

const php = 'php -r \'exit(extension_loaded("pdo_sqlite") && extension_loaded("curl") ? 0 : 1);\'';

test("the TypeScript sender reports each event once, whatever becomes of the answers", async () => {
  const outbox = sqlOutbox("ts");
  await tells(outbox, process.execPath, [join(here, "send-outbox.ts")], {
    OUTBOX_FILE: outbox.file,
  });
});

test("the sender with the client library reports each event once, whatever becomes of the answers", async () => {
  const outbox = sqlOutbox("client");
  await tells(outbox, process.execPath, [join(here, "send-outbox-client.ts")], {
    OUTBOX_FILE: outbox.file,
  });
});

test("the program that reports one purchase needs nothing prepared, and does it once", () => {
  const report = (url: string) =>
    spawnSync(process.execPath, [join(here, "report-purchase.ts")], {
      env: { ...inherited, WEBHOOKS_URL: url, WEBHOOKS_KEY: key },
      encoding: "utf8",
    });
  assert.match(report(address).stdout, /^accepted evt_/);
  assert.match(report(address).stdout, /^duplicate evt_/);
  const { status, stderr } = report("http://127.0.0.1:1");
  assert.deepEqual([status, stderr.startsWith("Try again later")], [1, true], stderr);
});

test(
  "the PHP sender reports each event once, whatever becomes of the answers",
  { skip: lacks(php, "php with pdo_sqlite and curl") },
  async () => {
    const outbox = sqlOutbox("php");
    await tells(outbox, "php", [join(here, "send-outbox.php")], {
      OUTBOX_DSN: `sqlite:${outbox.file}`,
    });
  },
);

test(
  "the shell sender reports each event once, whatever becomes of the answers",
  { skip: lacks("curl --version", "curl") },
  async () => {
    const outbox = spoolOutbox("sh");
    await tells(outbox, "sh", [join(here, "send-outbox.sh"), outbox.file], {});
  },
);

interface Outbox {
  resource: string;
  file: string;
  /** A text is taken as it is. */
  add(key: string, event: object | string): void;
  /** Key and state or error code of everything, in order. */
  read(): string[];
}

/** What happens to the requests of a sender, one after the other; after that all goes well. */
type Fate =
  | "stored, answer lost"
  | "refused with 503"
  | "stored, sender killed"
  | "stored, no answer"
  | "a page of somebody else"
  | "JSON of somebody else";

async function tells(
  outbox: Outbox,
  command: string,
  parameters: string[],
  settings: Record<string, string>,
): Promise<void> {
  const { resource } = outbox;
  await api("PUT", `/v1/resources/${resource}`, { title: "Castle", ownerId: "1001" });
  await api("POST", `/v1/resources/${resource}/webhooks`, {
    url: `${addressOf(receiver)}/hooks`,
    events: null,
  });
  outbox.add("order-1", { event: "product.user.purchase", user: { id: 1 } });
  outbox.add("order-2", { event: "product.user.purchase", user: { id: "two" } });
  // No JSON here may have such a name, so that a whole batch is refused for it.
  outbox.add("order-2b", { event: "product.user.purchase", user: { id: 2 }, constructor: 1 });
  outbox.add("order-2c", '{"event":"product.user.purchase","user":{"id":');
  outbox.add("order-3", { event: "product.user.purchase", user: { id: 3 } });
  outbox.add("refund-1", { event: "product.user.purchaseRemoved", user: { id: 1 } });

  let sender: ChildProcess | null = null;
  const proxy = await losingProxy(
    [
      "a page of somebody else",
      "JSON of somebody else",
      "stored, answer lost",
      "refused with 503",
      "stored, sender killed",
      "stored, no answer",
    ],
    () => sender?.kill("SIGKILL"),
  );
  const codes: (number | null)[] = [];
  let told = "";
  while (codes.at(-1) !== 0 && codes.length < 10) {
    sender = spawn(command, parameters, {
      env: {
        ...inherited,
        WEBHOOKS_URL: addressOf(proxy),
        WEBHOOKS_KEY: key,
        ...settings,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    sender.stderr?.setEncoding("utf8").on("data", (text: string) => (told += text));
    const [code] = (await once(sender, "close")) as [number | null];
    codes.push(code);
  }
  await close(proxy);
  assert.deepEqual(
    codes,
    [1, 1, 1, 1, null, 1, 0],
    "each fault ends one run, and the next goes on",
  );
  assert.deepEqual(outbox.read(), [
    "order-1 sent",
    "order-2 user_id_not_integer",
    "order-2b json_forbidden_key",
    "order-2c json_invalid",
    "order-3 sent",
    "refund-1 sent",
  ]);
  const parked = new Set([...told.matchAll(/(order-\S+) is parked: /g)].map(([, key]) => key));
  const faulty = new Set(["order-2", "order-2b", "order-2c"]);
  assert.deepEqual(parked, faulty, "a person is told of each");

  const { items } = await untilDelivered(resource, 3);
  assert.deepEqual(
    items.map(({ state, attempts }) => `${state} after ${attempts}`),
    Array.from({ length: 3 }, () => "delivered after 1"),
  );
  const requests = arrived.get(resource) ?? [];
  assert.equal(requests.length, 3);
  assert.deepEqual(
    new Set(requests.map(({ id }) => id)),
    new Set(items.map(({ eventId }) => eventId)),
  );
  const ofBuyer1 = requests.filter(({ user }) => user === 1).map(({ id }) => id);
  const purchase = items.find(({ event, userId }) => userId === 1 && !event.endsWith("Removed"));
  assert.equal(ofBuyer1[0], purchase?.eventId, "the purchase comes before its refund");
}

/** Waits for requests at the receiver, not for time; then for the outcomes of the last ones to be stored. */
async function untilDelivered(resource: string, count: number) {
  while ((arrived.get(resource)?.length ?? 0) < count) {
    await new Promise<void>((resolve) => (onArrival = resolve));
  }
  for (;;) {
    const page = (await api("GET", `/v1/deliveries?resourceId=${resource}`)) as {
      items: {
        eventId: string;
        event: string;
        userId: number;
        state: string;
        attempts: number;
      }[];
    };
    if (page.items.every(({ state }) => state === "delivered")) return page;
    await pause(10);
  }
}

function sqlOutbox(resource: string): Outbox {
  const file = join(folder, `${resource}.sqlite`);
  const db = new DatabaseSync(file);
  db.exec(readFileSync(join(here, "outbox.sql"), "utf8"));
  const insert = db.prepare(
    "insert into outbox (idempotency_key, resource_id, event) values (?, ?, ?)",
  );
  const all = db.prepare("select * from outbox order by id");
  return {
    resource,
    file,
    add: (name, event) => void insert.run(`${resource}-${name}`, resource, textOf(event)),
    read: () =>
      all.all().map((row) => {
        const name = String(row["idempotency_key"]).slice(resource.length + 1);
        assert.equal(row["event_id"] !== null, row["state"] === "sent");
        return `${name} ${String(row["error"] ?? row["state"])}`;
      }),
  };
}

function spoolOutbox(resource: string): Outbox {
  const spool = join(folder, `${resource}-spool`);
  mkdirSync(spool);
  let count = 0;
  return {
    resource,
    file: spool,
    add(name, event) {
      count += 1;
      writeFileSync(join(spool, `${count}.${resource}.${name}.json`), textOf(event));
    },
    read() {
      const sent = readdirSync(join(spool, "sent")).map((file) => `${file} sent`);
      const parked = readdirSync(join(spool, "parked"))
        .filter((file) => file.endsWith(".json"))
        .map((file) => {
          const error = join(spool, "parked", file.replace(/json$/, "error"));
          return `${file} ${readFileSync(error, "utf8").trim()}`;
        });
      return [...sent, ...parked].sort().map((line) => line.replace(/^\d+\.sh\.(.*)\.json/, "$1"));
    },
  };
}

function textOf(event: object | string): string {
  return typeof event === "string" ? event : JSON.stringify(event);
}

async function losingProxy(fates: Fate[], killSender: () => void): Promise<Server> {
  return await listen((request, response) => {
    void pass(request, response, fates.shift());
  });

  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    fate: Fate | undefined,
  ): Promise<void> {
    const body = await readBody(request);
    if (fate === "refused with 503") {
      response.writeHead(503, { "content-type": "application/json" }).end('{"code":"overloaded"}');
      return;
    }
    if (fate === "a page of somebody else" || fate === "JSON of somebody else") {
      const [type, text] = fate.startsWith("a page") ? ["html", "<h1>Hi</h1>"] : ["json", "{}"];
      response.writeHead(200, { "content-type": `application/${type}` }).end(text);
      return;
    }
    const headers = new Headers();
    for (const name of ["authorization", "content-type", "idempotency-key"]) {
      const value = request.headers[name];
      if (value !== undefined) headers.set(name, String(value));
    }
    const answer = await fetch(`${address}${request.url}`, { method: "POST", headers, body });
    const text = await answer.text();
    if (fate === "stored, answer lost") response.destroy();
    else if (fate === "stored, sender killed") killSender();
    else if (fate === undefined)
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  }
}

async function api(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  assert.ok(response.ok, answer);
  return JSON.parse(answer);
}

/** From the log line that the service writes when it can be reached. */
async function listening(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg: string; address: string };
    if (entry.msg !== "listening") continue;
    child.stdout.resume();
    return entry.address;
  }
  throw new Error("the service ended before it listened");
}

async function listen(handler: RequestListener): Promise<Server> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return body;
}

/** A reason to skip, or false. */
function lacks(probe: string, what: string): string | false {
  return spawnSync(probe, { shell: true, stdio: "ignore" }).status === 0
    ? false
    : `there is no ${what} on this machine`;
}
