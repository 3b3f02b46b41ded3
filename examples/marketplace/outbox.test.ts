import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  type AnsweringReceiver,
  startAnsweringReceiver,
} from "../../test/browser/answering-receiver.ts";
import { type Gate, startGate } from "../../test/gate.ts";
import { setUpMarketplace } from "../../test/marketplace.ts";
import { sqlitePlace } from "../../test/places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../../test/service-process.ts";

/**
 * Each sender of this folder reports to the real service through a proxy that loses answers, and a receiver counts
 * what arrives. The business side is played by the test; what is shown is that each event exists and arrives once.
 */
const here = import.meta.dirname;
/** Of this process: where compiled modules are kept, too, without which each run of a sender compiles all of its own. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };

let place: Awaited<ReturnType<typeof sqlitePlace>>;
let service: ServiceProcess;
let receiver: AnsweringReceiver;

before(async () => {
  place = await sqlitePlace();
  receiver = await startAnsweringReceiver();
  service = await startServiceProcess({ MARKETHOOK_DATA_DIR: join(place.folder, "data") });
});

after(async () => {
  service.signal("SIGTERM");
  const code = await service.exited;
  await receiver.close();
  await place.drop();
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
      env: { ...inherited, WEBHOOKS_URL: url, WEBHOOKS_KEY: apiKey },
      encoding: "utf8",
    });
  assert.match(report(service.address).stdout, /^accepted evt_/);
  assert.match(report(service.address).stdout, /^duplicate evt_/);
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
const FATES: readonly ReturnType<Gate["treat"]>[] = [
  // What somebody else answers: a page, and JSON.
  (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>"),
  (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  "lose",
  (response) =>
    void response
      .writeHead(503, { "content-type": "application/json" })
      .end('{"code":"overloaded"}'),
  // The sender is killed.
  "withhold",
  "withhold",
];

async function tells(
  outbox: Outbox,
  command: string,
  parameters: string[],
  settings: Record<string, string>,
): Promise<void> {
  const { resource } = outbox;
  await setUpMarketplace(service.address, apiKey, resource, [receiver.url]);
  outbox.add("order-1", { event: "product.user.purchase", user: { id: 1 } });
  outbox.add("order-2", { event: "product.user.purchase", user: { id: "two" } });
  // No JSON here may have such a name, so that a whole batch is refused for it.
  outbox.add("order-2b", { event: "product.user.purchase", user: { id: 2 }, constructor: 1 });
  outbox.add("order-2c", '{"event":"product.user.purchase","user":{"id":');
  outbox.add("order-3", { event: "product.user.purchase", user: { id: 3 } });
  outbox.add("refund-1", { event: "product.user.purchaseRemoved", user: { id: 1 } });

  let sender: ChildProcess | null = null;
  const gate = await startGate(service.address);
  gate.treat = (number) => FATES[number - 1] ?? "pass";
  void gate.withheld().then(() => sender?.kill("SIGKILL"));
  const codes: (number | null)[] = [];
  let told = "";
  while (codes.at(-1) !== 0 && codes.length < 10) {
    sender = spawn(command, parameters, {
      env: {
        ...inherited,
        WEBHOOKS_URL: gate.url,
        WEBHOOKS_KEY: apiKey,
        ...settings,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    sender.stderr?.setEncoding("utf8").on("data", (text: string) => (told += text));
    const [code] = (await once(sender, "close")) as [number | null];
    codes.push(code);
  }
  await gate.close();
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
  const requests = arrived(resource);
  assert.equal(requests.length, 3);
  assert.deepEqual(
    new Set(requests.map(({ id }) => id)),
    new Set(items.map(({ eventId }) => eventId)),
  );
  const ofBuyer1 = requests.filter(({ user }) => user === 1).map(({ id }) => id);
  const purchase = items.find(({ event, userId }) => userId === 1 && !event.endsWith("Removed"));
  assert.equal(ofBuyer1[0], purchase?.eventId, "the purchase comes before its refund");
}

/** `webhook-id` and buyer of each request about a resource. */
function arrived(resource: string): { id: string; user: number }[] {
  return receiver.requests.flatMap(({ headers, body }) => {
    const { product, user } = JSON.parse(body).payload;
    return product.id === resource ? [{ id: String(headers["webhook-id"]), user: user.id }] : [];
  });
}

/** Waits for requests at the receiver, not for time; then for the outcomes of the last ones to be stored. */
async function untilDelivered(resource: string, count: number) {
  while (arrived(resource).length < count) await receiver.answered(receiver.requests.length + 1);
  for (;;) {
    const page = (await service.api("GET", `/deliveries?resourceId=${resource}`)) as {
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
  const file = join(place.folder, `${resource}.sqlite`);
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
  const spool = join(place.folder, `${resource}-spool`);
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

/** A reason to skip, or false. */
function lacks(probe: string, what: string): string | false {
  return spawnSync(probe, { shell: true, stdio: "ignore" }).status === 0
    ? false
    : `there is no ${what} on this machine`;
}
