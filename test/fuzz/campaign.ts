import { judge } from "./judge.ts";
import { makeRequest, type FuzzRequest } from "./make-request.ts";
import { createRandom } from "./random.ts";
import { rawBytes } from "./raw-request.ts";
import { createClient, type Answer } from "./send-request.ts";
import { describeRequest } from "./describe-request.ts";
import type { World } from "./world.ts";

export interface CampaignOptions {
  seed: number;
  /** Number of the first request. */
  from: number;
  requests: number;
  /** Requests under way at a time. */
  concurrency: number;
  /** No answer may take longer. Left out: what is given up is a fault, 20 s later. */
  longestMs?: number;
  /** Stops in order once it is true. */
  isOver?: () => boolean;
  onFault?: (fault: string) => void;
  /** After each answer. */
  onRequest?: (campaign: Campaign) => void;
}

export interface Campaign {
  sent: number;
  /** Number of the request to go on with. */
  next: number;
  /** Answers by their class: `2xx`, `4xx`, `503`, `none`. */
  answers: Record<string, number>;
  /** Operations that were not only refused. */
  reached: Set<string>;
  faults: string[];
  /** The answer that took longest, and the command that asks for it. */
  slowest: { ms: number; request: string };
  /** Resident memory of the service in MiB: after the first tenth, and the most since. */
  memory: { settled: number | null; most: number | null };
}

const REPAIR_EVERY = 1000;
const RAW_EVERY = 30;
/** More would say the same. */
const MOST_FAULTS = 20;
const MOST_MEMORY_MIB = 512;

/** Requests that are still under way may delete again what is being made. */
async function repair(world: World, tries = 5): Promise<void> {
  try {
    await world.repair();
  } catch (error) {
    if (tries === 1) throw error;
    await repair(world, tries - 1);
  }
}

/** Sends requests until there are enough, and judges every answer. Never throws for what the service does. */
export async function runCampaign(world: World, options: CampaignOptions): Promise<Campaign> {
  const { seed, from, requests, concurrency, onFault } = options;
  const client = createClient(world.address, concurrency);
  const campaign: Campaign = {
    sent: 0,
    next: from,
    answers: {},
    reached: new Set(),
    faults: [],
    slowest: { ms: 0, request: "" },
    memory: { settled: null, most: null },
  };
  let exited = false;
  void world.service.exited.then(() => (exited = true));
  let repairing: Promise<void> | null = null;

  const report = (fault: string): void => {
    campaign.faults.push(fault);
    onFault?.(fault);
  };
  const isOver = (): boolean =>
    exited ||
    campaign.next >= from + requests ||
    campaign.faults.length >= MOST_FAULTS ||
    options.isOver?.() === true;

  function checkMemory(): void {
    const now = world.memory();
    if (now === null || campaign.sent < requests / 10) return;
    campaign.memory.settled ??= now;
    campaign.memory.most = Math.max(campaign.memory.most ?? 0, now);
  }

  async function one(index: number): Promise<void> {
    const random = createRandom(seed, index);
    const request = makeRequest(random, world);
    const isRaw = random.once(RAW_EVERY) || !isSendable(request);
    const bytes = isRaw ? rawBytes(request, random) : null;
    const answer = await (bytes === null ? client.send(request) : client.sendRaw(bytes));
    count(campaign, request, answer, isRaw);
    options.onRequest?.(campaign);
    if (!isRaw && answer.status !== null && answer.status < 300) world.learn(answer.body);
    if (answer.ms > campaign.slowest.ms) {
      const described = describeRequest(world.address, request, bytes);
      campaign.slowest = { ms: answer.ms, request: described };
    }
    const fault = judge(request, answer, isRaw, options.longestMs ?? Infinity);
    if (fault === null || exited) return;
    report(
      `${fault}\n  seed ${seed}, request ${index}\n  ${describeRequest(world.address, request, bytes)}\n  ${answer.body.slice(0, 500)}`,
    );
  }

  async function lane(): Promise<void> {
    while (!isOver()) {
      const index = campaign.next;
      campaign.next += 1;
      if (index % REPAIR_EVERY === 0 && campaign.sent > 0) {
        repairing ??= repair(world).finally(() => (repairing = null));
        checkMemory();
      }
      if (repairing !== null) await repairing;
      await one(index);
    }
  }

  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } catch (error) {
    report(`preparing failed: ${String(error)}`);
  }
  client.close();
  checkMemory();
  if (exited) report(`the service ended, about request ${campaign.next} of seed ${seed}`);
  if ((campaign.memory.most ?? 0) > MOST_MEMORY_MIB) {
    report(`the service took ${campaign.memory.most} MiB`);
  }
  return campaign;
}

function count(campaign: Campaign, request: FuzzRequest, answer: Answer, isRaw: boolean): void {
  const { status } = answer;
  const kind = status === null ? "none" : status === 503 ? "503" : `${Math.floor(status / 100)}xx`;
  campaign.sent += 1;
  campaign.answers[kind] = (campaign.answers[kind] ?? 0) + 1;
  if (kind === "2xx" && !isRaw && request.operation !== null) {
    campaign.reached.add(request.operation.operationId);
  }
}

/** An HTTP client refuses some targets and header values before they are sent. */
function isSendable({ target, headers }: FuzzRequest): boolean {
  return (
    /^[\x21-\x7e]+$/.test(target) &&
    headers.every(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  );
}
