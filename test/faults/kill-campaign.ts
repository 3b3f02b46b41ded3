import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { makeApiKey } from "@markethook/api";
import { Ledger } from "./ledger.ts";
import { startLoad } from "./load.ts";
import { setUpMarketplace } from "./marketplace.ts";
import { startRecordingReceiver } from "./recording-receiver.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

export interface Campaign {
  kills: number;
  /** 1: the killed process is started again; 2: the other one goes on meanwhile. */
  instances: number;
  env: Record<string, string>;
  /** Numbers of the deliveries that stand as leased in the database, read beside the service. */
  leased(): Promise<Set<string>>;
  /** How many deliveries have not ended. */
  unended(): Promise<number>;
  /** Deliveries that ended without a 2xx, e.g. quarantined, as `event webhook`. */
  endedDead(): Promise<Set<string>>;
}

const WEBHOOKS = 3;
const RESOURCE = "plugin";

/**
 * Kills with SIGKILL under load, again and again: at odd kills at a random moment, at even ones right after a
 * receiver has answered, before its answer can have been recorded. Then lets everything drain, and compares what
 * was promised with what arrived.
 */
export async function runKillCampaign(t: TestContext, campaign: Campaign): Promise<void> {
  const ledger = new Ledger();
  const secrets: string[] = [];
  const receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => 5 + Math.random() * 25,
  );
  const apiKey = makeApiKey(randomBytes);
  const env = {
    MARKETHOOK_BASE_URL: "https://market.example",
    MARKETHOOK_API_KEY: apiKey,
    MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    MARKETHOOK_RETRY_SCHEDULE: "50ms,200ms,400ms,800ms,1s,1s,1s,1s,1s,1s",
    MARKETHOOK_LOG_LEVEL: "warn",
    ...campaign.env,
  };
  const running: (ServiceProcess | null)[] = [];
  for (let i = 0; i < campaign.instances; i += 1) running.push(await startServiceProcess(env));
  const addresses = (): string[] =>
    running.flatMap((process) => (process === null ? [] : [process.address]));
  t.after(async () => {
    for (const process of running) process?.signal("SIGKILL");
    await receiver.close();
  });
  const urls = Array.from({ length: WEBHOOKS }, (_, index) => `${receiver.url}hook${index}`);
  const marketplace = await setUpMarketplace(addresses()[0] ?? "", apiKey, RESOURCE, urls);
  secrets.push(...marketplace.secrets);
  const load = startLoad({
    ledger,
    resourceId: RESOURCE,
    webhooks: WEBHOOKS,
    apiKey,
    addresses,
    underWay: 120,
    batch: 10,
    clients: 2,
  });

  t.after(() => load.abort());

  const resumedMs: number[] = [];
  let withOpen = 0;
  let afterAnswer = 0;
  let repeats = 0;
  for (let kill = 0; kill < campaign.kills; kill += 1) {
    const victim = kill % campaign.instances;
    const process = running[victim];
    assert.ok(process);
    await busy(receiver, kill % 2 === 0 ? 5 : 3 + Math.floor(Math.random() * 30), kill % 2 === 1);
    const openBefore = ledger.open;
    process.signal("SIGKILL");
    running[victim] = null;
    const killedAt = performance.now();
    await process.exited;
    if (openBefore > 0) withOpen += 1;
    const leased = await campaign.leased();
    const before = ledger.arrivals.length;
    const seenBefore = new Map(ledger.arrivals.map((arrival) => [arrival.deliveryId, arrival]));
    const restarted = await startServiceProcess(env);
    running[victim] = restarted;
    const since = campaign.instances === 1 ? restarted.spawnedAt : killedAt;
    await arrivalOf(receiver, ledger, before);
    resumedMs.push((ledger.arrivals[before]?.at ?? since) - since);
    // What comes again after this kill must have been leased at it: dialled, and not recorded.
    const again = await settledRepeats(ledger, before, seenBefore, leased);
    repeats += again.all.length;
    if (again.answeredBefore > 0) afterAnswer += 1;
    const foreign = again.all.filter((id) => !leased.has(id));
    if (campaign.instances === 1)
      assert.deepEqual(foreign, [], "a delivery came again that was not in flight");
  }
  await load.stop();
  await drained(campaign);

  const dead = await campaign.endedDead();
  const lost = ledger.missing(marketplace.webhookIds).filter((pair) => !dead.has(pair));
  const twice = [...ledger.accepted].filter(([, ids]) => ids.size > 1).map(([key]) => key);
  t.diagnostic(
    `${campaign.kills} kills, ${withOpen} with requests open, ${afterAnswer} between an answer and its record; ` +
      `${ledger.accepted.size} events accepted, ${ledger.arrivals.length} requests, ${repeats} deliveries came again, ` +
      `${dead.size} ended dead; resumed after ${median(resumedMs)} ms (median), ${Math.round(Math.max(...resumedMs))} ms (longest)`,
  );
  assert.deepEqual(lost, [], "accepted events that never arrived");
  assert.deepEqual(twice, [], "two events under one idempotency key");
  assert.deepEqual(ledger.violations, []);
  assert.ok(
    withOpen >= campaign.kills * 0.8,
    `only ${withOpen} kills had requests open: the run proves nothing`,
  );
  assert.ok(
    afterAnswer >= campaign.kills * 0.2,
    `only ${afterAnswer} kills fell between an answer and its record`,
  );
}

type Receiver = Awaited<ReturnType<typeof startRecordingReceiver>>;

/** Waits for so many requests; `whenAnswered`: then for an answer, and returns at that very moment. */
async function busy(receiver: Receiver, requests: number, whenAnswered: boolean): Promise<void> {
  let left = requests;
  await new Promise<void>((resolve) => {
    receiver.onArrival = () => {
      left -= 1;
      if (left <= 0 && !whenAnswered) resolve();
    };
    receiver.onAnswered = () => {
      if (left <= 0 && whenAnswered) resolve();
    };
  });
  receiver.onArrival = () => {};
  receiver.onAnswered = () => {};
}

async function arrivalOf(receiver: Receiver, ledger: Ledger, before: number): Promise<void> {
  if (ledger.arrivals.length > before) return;
  await new Promise<void>((resolve) => (receiver.onArrival = () => resolve()));
  receiver.onArrival = () => {};
}

/** Deliveries that were answered or open before the kill and have come again since. */
async function settledRepeats(
  ledger: Ledger,
  before: number,
  seenBefore: ReadonlyMap<string, { answered: number | null }>,
  leased: ReadonlySet<string>,
): Promise<{ all: string[]; answeredBefore: number }> {
  const expected = [...leased].filter((id) => seenBefore.has(id));
  const come = (): string[] => ledger.arrivals.slice(before).map((arrival) => arrival.deliveryId);
  const deadline = performance.now() + 1500;
  while (performance.now() < deadline && !expected.every((id) => come().includes(id))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const all = [...new Set(come())].filter((id) => {
    const first = seenBefore.get(id);
    return first !== undefined && (first.answered === null || first.answered < 300);
  });
  const answeredBefore = all.filter((id) => (seenBefore.get(id)?.answered ?? 500) < 300).length;
  return { all, answeredBefore };
}

async function drained(campaign: Campaign): Promise<void> {
  while ((await campaign.unended()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

function median(values: readonly number[]): number {
  return Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
