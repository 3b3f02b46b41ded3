import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { makeApiKey } from "@markethook/api/tokens";
import { startLoad } from "../faults/load.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { startRecordingReceiver } from "../recording-receiver.ts";
import { choicesFor } from "../simulation/choices.ts";
import { CampaignLedger } from "./campaign-ledger.ts";
import { OFTEN } from "./faults.ts";
import { startWorld } from "./world.ts";

export interface CampaignOptions {
  seed: number;
  minutes: number;
  store: "sqlite" | "postgres";
  /** Sender threads of each instance. */
  threads: number;
  /** The rate must be back so soon after a fault. */
  recoveredMs: number;
  /** Only these faults; empty for all. */
  only: readonly string[];
  print(line: string): void;
}

export interface CampaignReport {
  faults: Map<string, number>;
  accepted: number;
  requests: number;
  /** Deliveries that were answered 2xx more than once. */
  repeated: number;
  /** Gone with the commits that a promotion lost. */
  forgotten: number;
  slowestMs: number;
  /** What was promised and not kept. Empty is good. */
  violations: string[];
}

const RESOURCE = "plugin";
const WEBHOOKS = 3;
const LEASE = "1500ms";
/** They go on for longer than a name server is away. */
const LATER_RETRIES = 40;
const CALM_MS = 2000;
const WINDOW_MS = 1000;
/** A second, where nothing is wrong: else a rate that is back would mean nothing. */
const LEAST_RATE = 50;
const PART_OF_RATE = 0.8;
const DRAINED_MS = 120_000;

/** Sends under load and does harm, one fault after the other; judges the rate after each and all promises at the end. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { print } = options;
  const choices = choicesFor(options.seed, "campaign");
  const ledger = new CampaignLedger();
  const secrets: string[] = [];
  const receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => 5 + Math.random() * 25,
  );
  const apiKey = makeApiKey(randomBytes);
  const world = await startWorld({
    store: options.store,
    ledger,
    receiver,
    choices,
    resourceId: RESOURCE,
    apiKey,
    print,
    env: {
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_API_KEY: apiKey,
      MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
      MARKETHOOK_LEASE: LEASE,
      MARKETHOOK_SENDER_THREADS: String(options.threads),
      MARKETHOOK_RETRY_SCHEDULE: [
        "50ms,200ms,400ms,800ms",
        ...Array(LATER_RETRIES).fill("1s"),
      ].join(","),
    },
  });
  const { instances } = world;
  const report: CampaignReport = {
    faults: new Map(),
    accepted: 0,
    requests: 0,
    repeated: 0,
    forgotten: 0,
    slowestMs: 0,
    violations: [],
  };
  try {
    await Promise.all(instances.all.map((no) => instances.start(no)));
    const urls = Array.from({ length: WEBHOOKS }, (_, index) => `${receiver.url}hook${index}`);
    if (world.hasNames) urls[0] = urls[0]?.replace("127.0.0.1", "receiver.example.com") ?? "";
    const address = instances.addresses()[0] ?? "";
    const marketplace = await setUpMarketplace(address, apiKey, RESOURCE, urls);
    secrets.push(...marketplace.secrets);
    ledger.webhookIds = marketplace.webhookIds;
    const load = startLoad({
      ledger,
      resourceId: RESOURCE,
      webhooks: WEBHOOKS,
      apiKey,
      addresses: () => world.addresses(),
      underWay: 300,
      batch: 10,
      clients: 4,
    });
    const all = Object.keys(world.faults);
    const absent = options.only.filter((name) => !all.includes(name));
    if (absent.length > 0)
      throw new Error(`Not here: ${absent.join(", ")}. Faults: ${all.join(", ")}`);
    const names = options.only.length > 0 ? options.only : all;
    const endAt = performance.now() + options.minutes * 60_000;
    const rates: number[] = [];
    const round: string[] = [];
    while (performance.now() < endAt) {
      const before = await rateOver(ledger, CALM_MS);
      if (before < LEAST_RATE) {
        report.violations.push(`nothing is sent: ${before}/s before a fault`);
        break;
      }
      if (round.length === 0) round.push(...names, ...names.flatMap(twiceMore));
      const [name = ""] = round.splice(choices.int(round.length), 1);
      const since = performance.now();
      await world.faults[name]?.();
      const lasted = performance.now() - since;
      // For a moment without other work on the machine it is faster than it can be on the whole.
      rates.push(before);
      const usual = Math.min(before, median(rates));
      const tookMs = await recovery(ledger, usual, 2 * options.recoveredMs);
      report.faults.set(name, (report.faults.get(name) ?? 0) + 1);
      report.slowestMs = Math.max(report.slowestMs, tookMs);
      const text = `${name}: ${Math.round(lasted)} ms, rate back (${Math.round(usual)}/s) after ${Math.round(tookMs)} ms`;
      print(text);
      if (tookMs > options.recoveredMs) report.violations.push(text);
    }
    // What a promotion lost never arrives, so that the load would wait for it.
    await load.stop();
    const drainedBy = performance.now() + DRAINED_MS;
    while (ledger.lost().length > 0 && performance.now() < drainedBy) {
      await pause(100);
    }
    report.violations.push(...ledger.lost().map((pair) => `lost: ${pair}`), ...ledger.broken());
    report.forgotten = ledger.forgotten();
  } finally {
    await Promise.all(instances.all.map((no) => instances.end(no, "SIGKILL")));
    await receiver.close();
    await world.remove();
  }
  report.accepted = ledger.accepted.size;
  report.requests = ledger.arrivals.length;
  report.repeated = ledger.repeated;
  return report;
}

const twiceMore = (name: string): string[] => (OFTEN.includes(name) ? [name, name] : []);

/** Requests a second. */
async function rateOver(ledger: CampaignLedger, ms: number): Promise<number> {
  const before = ledger.arrivals.length;
  await pause(ms);
  return ((ledger.arrivals.length - before) / ms) * 1000;
}

/** The lower one of two. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}

/** Until a whole window has most of the rate again; at most about so long. */
async function recovery(ledger: CampaignLedger, before: number, mostMs: number): Promise<number> {
  const since = performance.now();
  for (;;) {
    const from = performance.now() - since;
    const rate = await rateOver(ledger, WINDOW_MS);
    if (rate >= before * PART_OF_RATE || from > mostMs) return from;
  }
}
