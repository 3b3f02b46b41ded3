import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Ledger } from "../ledger.ts";
import { startLoad } from "./load.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { startRecordingReceiver } from "../recording-receiver.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";

export interface Campaign {
  kills: number;
  /** 1: the killed process is started again; 2: the other one goes on meanwhile. */
  instances: number;
  env: Record<string, string>;
  /** The deliveries that the killed process held leases of, read next to the service right after the kill. */
  leased(pid: number): Promise<Set<string>>;
  /** False: another instance must take over, the killed one stays dead until it has. */
  restartAtOnce?: boolean;
  /** How long the load rests before each further batch of thirty deliveries. */
  restMs: number;
  /** The deliveries that have not ended. */
  unended(): Promise<Set<string>>;
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
  const env = {
    MARKETHOOK_RETRY_SCHEDULE: "50ms,200ms,400ms,800ms,1s,1s,1s,1s,1s,1s",
    ...campaign.env,
  };
  const running: (ServiceProcess | null)[] = [];
  for (let i = 0; i < campaign.instances; i += 1) running.push(await start(t, env));
  const addresses = (): string[] =>
    running.flatMap((process) => (process === null ? [] : [process.address]));
  /** Null: all of it was done. */
  let step: string | null = "starting";
  t.after(async () => {
    if (step !== null) t.diagnostic(`ended while ${step}; ${stateOf(ledger)}`);
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
    underWay: 60,
    batch: 10,
    clients: 1,
    restMs: campaign.restMs,
  });

  t.after(() => load.abort());

  const resumedMs: number[] = [];
  let inFlight = 0;
  let afterAnswer = 0;
  let repeats = 0;
  for (let kill = 0; kill < campaign.kills; kill += 1) {
    const victim = kill % campaign.instances;
    const process = running[victim];
    assert.ok(process);
    step = `waiting for arrivals before kill ${kill}`;
    await arrivals(receiver, 5 + Math.floor(Math.random() * 60));
    step = `waiting for open requests before kill ${kill}`;
    await holdsOpen(campaign, ledger, process.pid, t.signal);
    step = `waiting for an answer before kill ${kill}`;
    if (kill % 2 === 1) await nextAnswer(receiver);
    step = `restarting after kill ${kill}`;
    process.signal("SIGKILL");
    running[victim] = null;
    const killedAt = performance.now();
    await process.exited;
    const leased = await campaign.leased(process.pid);
    const before = ledger.arrivals.length;
    const seen = new Map(ledger.arrivals.map((arrival) => [arrival.deliveryId, arrival]));
    let since = killedAt;
    if (campaign.restartAtOnce !== false) {
      running[victim] = await start(t, env);
      if (campaign.instances === 1) since = running[victim].spawnedAt;
    }
    // What the dead one had dialled and not recorded comes again; anything else must not.
    const unrecorded = [...leased].filter(
      (id) => (seen.get(id)?.answered ?? 0) < 300 && seen.has(id),
    );
    if (unrecorded.length > 0) inFlight += 1;
    step = `waiting after kill ${kill} for ${unrecorded.join(", ")} to come again`;
    await allArrived(campaign, ledger, before, unrecorded, t.signal);
    const again = new Map<string, number>();
    for (const { deliveryId, at } of ledger.arrivals.slice(before)) {
      const first = seen.get(deliveryId);
      if (first === undefined || (first.answered !== null && first.answered >= 300)) continue;
      if (!again.has(deliveryId)) again.set(deliveryId, at);
    }
    running[victim] ??= await start(t, env);
    repeats += again.size;
    for (const at of again.values()) resumedMs.push(at - since);
    if ([...again.keys()].some((id) => (seen.get(id)?.answered ?? 500) < 300)) afterAnswer += 1;
    const foreign = [...again.keys()].filter((id) => !leased.has(id));
    assert.deepEqual(foreign, [], "a delivery came again that its instance had not in flight");
  }
  step = "ending the load";
  await load.stop();
  step = "waiting for the rest to be sent";
  await drained(campaign, t.signal);
  step = null;

  const dead = await campaign.endedDead();
  const lost = ledger.missing(marketplace.webhookIds).filter((pair) => !dead.has(pair));
  const twice = [...ledger.accepted].filter(([, ids]) => ids.size > 1).map(([key]) => key);
  t.diagnostic(
    `${campaign.kills} kills, ${inFlight} with deliveries in flight, ${afterAnswer} between an answer and its record; ` +
      `${ledger.accepted.size} events accepted, ${ledger.arrivals.length} requests, ${repeats} deliveries came again, ` +
      `${dead.size} ended dead; in flight at a kill and sent again: after ${median(resumedMs)} ms (median), ${Math.round(Math.max(...resumedMs))} ms (longest)`,
  );
  assert.deepEqual(lost, [], "accepted events that never arrived");
  assert.deepEqual(twice, [], "two events under one idempotency key");
  assert.deepEqual(ledger.violations, []);
  // 40 and 10 of 50: with less the run proves nothing. A single kill has to be in flight only.
  assert.ok(inFlight >= campaign.kills * 0.8, `only ${inFlight} kills had deliveries in flight`);
  assert.ok(
    afterAnswer >= Math.floor(campaign.kills * 0.2),
    `only ${afterAnswer} kills fell between an answer and its record`,
  );
}

/** A test that was over its time has cleaned up by now: a process begun after that would keep the whole run waiting. */
async function start(t: TestContext, env: Record<string, string>): Promise<ServiceProcess> {
  t.signal.throwIfAborted();
  const process = await startServiceProcess(env);
  if (t.signal.aborted) process.signal("SIGKILL");
  t.signal.throwIfAborted();
  return process;
}

/** For a campaign that does not come to its end. */
function stateOf(ledger: Ledger): string {
  return `${ledger.accepted.size * WEBHOOKS} deliveries accepted, ${ledger.delivered} arrived, ${ledger.openIds.size} open`;
}

type Receiver = Awaited<ReturnType<typeof startRecordingReceiver>>;

/** One alone may be answered, and recorded, before the kill comes. */
const OPEN_AT_KILL = 3;

/** Waits until requests that this process made are open at the receiver. */
async function holdsOpen(
  campaign: Campaign,
  ledger: Ledger,
  pid: number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const leased = await campaign.leased(pid);
    if ([...leased].filter((id) => ledger.openIds.has(id)).length >= OPEN_AT_KILL) return;
    await setTimeout(2, undefined, { signal });
  }
}

/** Some work gets done between two kills. */
async function arrivals(receiver: Receiver, count: number): Promise<void> {
  let left = count;
  await new Promise<void>((resolve) => {
    receiver.onArrival = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
  receiver.onArrival = () => {};
}

/** Resolves at the very moment after an answer was handed to the system. */
async function nextAnswer(receiver: Receiver): Promise<void> {
  await new Promise<void>((resolve) => (receiver.onAnswered = () => resolve()));
  receiver.onAnswered = () => {};
}

/**
 * Waits until each of these deliveries has arrived again, or has ended: what a process sent to PostgreSQL before it was
 * killed is still carried out, so that a delivery can be recorded after it was seen to be leased.
 */
async function allArrived(
  campaign: Campaign,
  ledger: Ledger,
  from: number,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(ids);
  let at = from;
  for (let round = 0; missing.size > 0; round += 1) {
    for (; at < ledger.arrivals.length; at += 1)
      missing.delete(ledger.arrivals[at]?.deliveryId ?? "");
    if (round % 50 === 49) {
      const unended = await campaign.unended();
      for (const id of missing) if (!unended.has(id)) missing.delete(id);
    }
    await setTimeout(10, undefined, { signal });
  }
}

async function drained(campaign: Campaign, signal: AbortSignal): Promise<void> {
  while ((await campaign.unended()).size > 0) await setTimeout(50, undefined, { signal });
}

function median(values: readonly number[]): number {
  return Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
