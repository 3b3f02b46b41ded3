import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createAuthority } from "../../packages/dispatcher/src/send/testing/certificate.ts";
import { Ledger } from "../ledger.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { type RecordingReceiver, startRecordingReceiver } from "../recording-receiver.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { size } from "../size.ts";
import { startLoad } from "./load.ts";
import { besidePostgres, besideSqlite } from "./stores.ts";

type Beside = ReturnType<typeof besideSqlite>;

const RESOURCE = "plugin";
const WEBHOOKS = 3;
const OPEN = 20;
const ROUNDS = size(1, 8);
const MOST_TRIES = 10;
const ENDED = "sender thread ended; another one starts";
const KILLER = new URL("./thread-killer.ts", import.meta.url).href;

/** When a thread is ended. Each resolves at its moment. */
const PHASES: Record<string, (receiver: RecordingReceiver, ledger: Ledger) => Promise<void>> = {
  queued: async () => {},
  dialling: (receiver) => once(receiver, "onConnection"),
  async writing(receiver, ledger) {
    while (ledger.openIds.size < OPEN) await once(receiver, "onArrival");
  },
  replied: (receiver) => once(receiver, "onAnswered"),
};

async function once(
  receiver: RecordingReceiver,
  what: "onConnection" | "onArrival" | "onAnswered",
): Promise<void> {
  await new Promise<void>((resolve) => (receiver[what] = () => resolve()));
  receiver[what] = () => {};
}

async function arrivals(ledger: Ledger, count: number): Promise<void> {
  const until = ledger.arrivals.length + count;
  while (ledger.arrivals.length < until) await pause(5);
}

async function threadEndsLoseNothing(
  t: TestContext,
  env: Record<string, string>,
  beside: Beside,
): Promise<void> {
  const ledger = new Ledger();
  const secrets: string[] = [];
  const authority = createAuthority("Threads");
  const receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => 20 + Math.random() * 40,
    authority.issue({ names: ["127.0.0.1"] }),
  );
  const authorityFile = join(env["MARKETHOOK_DATA_DIR"] ?? "", "authority.pem");
  writeFileSync(authorityFile, authority.cert);
  const service = await startServiceProcess({
    ...env,
    MARKETHOOK_RETRY_SCHEDULE: "50ms,200ms,400ms,800ms,1s,1s,1s,1s,1s,1s",
    MARKETHOOK_SENDER_THREADS: "1",
    NODE_OPTIONS: `--import=${KILLER}`,
    NODE_EXTRA_CA_CERTS: authorityFile,
  });
  t.after(async () => {
    await service.kill();
    await receiver.close();
  });
  const urls = Array.from({ length: WEBHOOKS }, (_, index) => `${receiver.url}hook${index}`);
  const marketplace = await setUpMarketplace(service.address, apiKey, RESOURCE, urls);
  secrets.push(...marketplace.secrets);
  const load = startLoad({
    ledger,
    resourceId: RESOURCE,
    webhooks: WEBHOOKS,
    apiKey,
    addresses: () => [service.address],
    underWay: 200,
    batch: 20,
    clients: 2,
  });
  t.after(() => load.abort());

  await arrivals(ledger, 100);
  const before = await rate(ledger);
  let kills = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [phase, moment] of Object.entries(PHASES)) {
      await moment(receiver, ledger);
      const ended = service.logged(ENDED);
      service.signal(phase === "queued" ? "SIGHUP" : "SIGUSR2");
      await ended;
      kills += 1;
      await arrivals(ledger, 50);
    }
  }
  const after = await rateAgain(ledger, before / 4);
  await load.stop();
  while ((await beside.unended()).size > 0) await pause(20);

  const ends = service.log.filter(({ msg }) => msg === ENDED);
  const sum = (of: (end: Record<string, unknown>) => number): number =>
    ends.reduce((total, end) => total + of(end), 0);
  const written = sum((end) => Number(end["written"]));
  const dialling = sum((end) => Number(end["begun"]) - Number(end["written"]));
  const queued = sum((end) => Number(end["open"]) - Number(end["begun"]));
  const again = repeats(ledger);
  t.diagnostic(
    `${kills} ends of a thread with ${queued} requests queued, ${dialling} dialled, ${written} perhaps written; ` +
      `${ledger.accepted.size} events, ${ledger.arrivals.length} requests, ${again} came again; ` +
      `${before.toFixed(0)} requests/s before, ${after.toFixed(0)} after`,
  );
  assert.equal(ends.length, kills);
  assert.ok(queued > 0 && dialling > 0 && written > 0, "a phase was not met");
  assert.deepEqual(
    ledger.missing(marketplace.webhookIds),
    [],
    "accepted events that never arrived",
  );
  assert.ok(again <= written, `${again} came again, ${written} had been open`);
  assert.deepEqual(ledger.violations, []);
  assert.ok(!service.log.some(({ msg }) => msg === "instance lost"));
  assert.ok(after >= before / 4, `${after} requests/s after ${before}`);
  await metricsTell(service, kills);
}

/** Requests beyond the first of a delivery that were not sent because an answer had refused it. */
function repeats(ledger: Ledger): number {
  const needed = new Map<string, number>();
  for (const { deliveryId, answered } of ledger.arrivals) {
    const more = answered !== null && answered >= 300 ? 0 : 1;
    needed.set(deliveryId, (needed.get(deliveryId) ?? 0) + more);
  }
  return [...needed.values()].reduce((sum, count) => sum + Math.max(0, count - 1), 0);
}

async function rate(ledger: Ledger): Promise<number> {
  const since = performance.now();
  await arrivals(ledger, 150);
  return 150_000 / (performance.now() - since);
}

/** The rate once it is this much again. Another process can take the machine for a while, so there are several tries. */
async function rateAgain(ledger: Ledger, least: number): Promise<number> {
  let now = await rate(ledger);
  for (let tries = 1; tries < MOST_TRIES && now < least; tries += 1) now = await rate(ledger);
  return now;
}

async function metricsTell({ address }: ServiceProcess, kills: number): Promise<void> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  assert.match(metrics, /^markethook_sender_threads 1$/m);
  assert.match(metrics, new RegExp(`^markethook_sender_threads_ended_total ${kills}$`, "m"));
}

test("SQLite: sender threads ended in every phase lose nothing, and repeat only what may have been written", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  await threadEndsLoseNothing(t, place.env, besideSqlite(place.folder));
});

test("PostgreSQL: sender threads ended in every phase lose nothing, and repeat only what may have been written", async (t) => {
  const place = await postgresPlace();
  t.after(() => place.drop());
  await threadEndsLoseNothing(t, place.env, besidePostgres(place.url));
});
