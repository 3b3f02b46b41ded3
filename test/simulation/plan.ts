import { DEFAULT_SETTINGS } from "@markethook/dispatcher";
import { type Choices, choicesFor } from "./choices.ts";

/** What is sent, to whom, and on how many instances: decided by the seed alone. */
export interface Shape {
  load: "idle" | "near capacity" | "backlog" | "one buyer" | "slow hosts" | "crowded places";
  instances: number;
  /** One process owns the store, as with SQLite. */
  exclusive: boolean;
  /** Unproven hosts are limited. */
  gated: boolean;
  /** So many bad owners that their webhooks want more slots and memory than there are. */
  crowdOfBad: boolean;
  /** Open requests of an instance. */
  concurrency: number;
  slowStart: typeof DEFAULT_SETTINGS.slowStart;
  /** Part of what instances tell each other that arrives. */
  hints: number;
  /** What the operator allows of a chat platform; null: as it is by default. */
  chatLimits: { perSecond: number; invalid: { answers: number; windowMs: number } } | null;
  queueBytes: number;
  hostConcurrency: number;
  addressConcurrency: number;
  receivers: ReceiverPlan[];
  buyers: number;
  /** Events a second, all together, and how many at once. */
  rate: number;
  batch: number;
  /** No more is reported after this time. */
  loadLastsMs: number;
  /** Faults begin and end between these. */
  faultsFrom: number;
  faultsUntil: number;
}

export type Manner =
  | "fast"
  | "usual"
  | "slow"
  | "hanging"
  | "flapping"
  | "failing"
  | "refusing"
  | "resetting"
  | "throttling"
  /** Of a chat platform, which counts what comes and tells of it. */
  | "channel";

export interface ReceiverPlan {
  manner: Manner;
  host: string;
  address: string;
  resource: number;
  /** It has failed since a minute before simulated time began. */
  failed?: boolean;
  /** Digits: the number of the channel. */
  channel?: string;
}

export type Fault = { id: number; at: number } & (
  | { kind: "kill"; instance: number; backAfter: number }
  | { kind: "restart"; instance: number; backAfter: number }
  | { kind: "stop"; instance: number; ms: number }
  | { kind: "suspend"; instance: number; ms: number; bothClocks: boolean }
  | { kind: "clock"; instance: number; byMs: number }
  | { kind: "slow store"; ms: number; factor: number }
  | { kind: "stalled store"; ms: number }
  | { kind: "refusing store"; ms: number; part: number }
  | { kind: "lost answers"; ms: number; part: number; lateMs: number }
  | { kind: "outage"; ms: number; hangs: boolean }
  /** A standby is promoted that lacks the last commits. */
  | { kind: "failover"; ms: number; losesMs: number }
  | { kind: "database clock"; byMs: number }
);
type FaultKind = Fault["kind"];

const FAULT_KINDS: readonly FaultKind[] = [
  "kill",
  "restart",
  "stop",
  "suspend",
  "clock",
  "slow store",
  "stalled store",
  "refusing store",
  "lost answers",
  "outage",
];
const OF_DATABASES: readonly FaultKind[] = ["failover", "database clock"];

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const MB = 1024 * 1024;
const FLOOD_RATE = 40;
const CHANNELS_FROM = 10_000_000_000_000_000n;

export interface Plan {
  shape: Shape;
  /** By time. */
  faults: Fault[];
  /** Clocks go a little faster or slower. */
  rates: number[];
}

/**
 * What a seed is a seed of. `plain`: as seeds were understood before there were bad neighbours, for those that were recorded
 * then. `storm`: the same worlds with many short faults, one on top of the other. `failovers`: worlds without chats, in which
 * standbys are promoted and the database's clock is set, too.
 */
export type Style = "usual" | "plain" | "storm" | "failovers";

export function planFor(seed: number, style: Style): Plan {
  const random = choicesFor(seed, "shape");
  const load = random.pick([
    "idle",
    "near capacity",
    "backlog",
    "one buyer",
    "slow hosts",
    "crowded places",
  ] as const);
  const instances = random.pick([1, 1, 2, 2, 3, 4]);
  const exclusive = instances === 1 && random.chance(0.5);
  const isBacklog = load === "backlog";
  const faultsFrom = isBacklog ? 5 * SECOND : 10 * SECOND;
  const faultsUntil = (isBacklog ? random.whole(30, 60) : random.whole(40, 120)) * SECOND;
  const shape: Shape = {
    load,
    instances,
    exclusive,
    gated: !isBacklog && random.chance(0.4),
    crowdOfBad: false,
    concurrency: 512,
    slowStart: DEFAULT_SETTINGS.slowStart,
    hints: 0,
    chatLimits: null,
    queueBytes: random.pick([4 * MB, 64 * MB]),
    hostConcurrency: load === "crowded places" ? 4 : 64,
    addressConcurrency: load === "crowded places" ? 6 : 128,
    receivers: receiversFor(load, random),
    buyers: load === "one buyer" ? 3 : random.pick([20, 500, 100_000]),
    ...rateOf(load, instances, random),
    faultsFrom,
    faultsUntil,
    loadLastsMs: isBacklog ? random.whole(8, 15) * SECOND : Infinity,
  };
  const rates = Array.from({ length: instances }, () =>
    random.chance(0.3) ? 1 + random.whole(-20, 20) / 1000 : 1,
  );
  if (style !== "plain") {
    addBadNeighbours(shape, choicesFor(seed, "neighbours"));
    addPaces(shape, choicesFor(seed, "paces"));
    if (style === "failovers") shape.exclusive = false;
    else addChats(shape, choicesFor(seed, "chats of owners"));
    addHints(shape, choicesFor(seed, "told by others"));
  }
  return { shape, faults: faultsFor(seed, shape, style), rates };
}

/** Few slots and little memory, and owners whose receivers would take all of both. */
function addBadNeighbours(shape: Shape, random: Choices): void {
  if (shape.load === "backlog" || shape.load === "crowded places" || !random.chance(0.25)) return;
  shape.crowdOfBad = true;
  shape.concurrency = 16;
  shape.queueBytes = 2 * MB;
  shape.rate = 8 * shape.instances;
  const manners = random.pick([
    ["hanging"],
    ["hanging", "failing", "throttling"],
    ["resetting", "flapping", "refusing"],
  ] as const);
  const count = random.whole(24, 40);
  const good = random.whole(2, 6);
  shape.receivers = Array.from({ length: count }, (_, index) => {
    const manner = index < good ? random.pick(["fast", "usual"] as const) : random.pick(manners);
    return {
      manner,
      host: `h${index}.example`,
      address: `203.0.113.${1 + index}`,
      resource: index,
      // Many that are new and hang keep another new one waiting, once: nothing tells it from them.
      failed: manner === "hanging" || manner === "failing" || manner === "refusing",
    };
  });
}

/** Gates that a run of some minutes would not meet: short outages count as long, and a host is flooded. */
function addPaces(shape: Shape, random: Choices): void {
  if (random.chance(0.5)) {
    shape.slowStart = {
      afterMs: 8 * SECOND,
      perSecond: 1,
      doubleEveryMs: 2 * SECOND,
      doublings: 7,
    };
  }
  if (shape.load === "backlog" || shape.crowdOfBad || !random.chance(0.15)) return;
  shape.gated = true;
  shape.rate = FLOOD_RATE;
  shape.batch = 1;
  shape.receivers = Array.from({ length: 12 }, (_, index) => {
    const isGood = index < 2;
    return {
      manner: isGood ? "usual" : "failing",
      host: isGood ? `h${index}.example` : "flooded.example",
      address: `203.0.113.${isGood ? 1 + index : 9}`,
      resource: index,
    };
  });
}

/** Half of the webhooks are of chats; some share a channel. Each channel takes 2.5 a second. */
function addChats(shape: Shape, random: Choices): void {
  const isOther = shape.crowdOfBad || shape.rate === FLOOD_RATE;
  if (shape.load === "backlog" || shape.load === "crowded places" || isOther) return;
  if (!random.chance(0.2)) return;
  if (random.chance(0.5)) {
    shape.chatLimits = {
      perSecond: random.whole(6, 20),
      invalid: { answers: random.whole(5, 50), windowMs: 20 * SECOND },
    };
  }
  shape.rate = 4;
  // A hundred and twenty at once are more than the channels take.
  shape.batch = random.pick([6, 120]);
  const shared = random.chance(0.5);
  shape.receivers = Array.from({ length: 12 }, (_, index) => {
    const isChat = index % 2 === 0;
    if (!isChat) {
      const address = `203.0.113.${1 + index}`;
      return { manner: "usual", host: `h${index}.example`, address, resource: index };
    }
    const channel = String(CHANNELS_FROM + BigInt(shared ? index >> 2 : index));
    const address = "203.0.113.200";
    return { manner: "channel", host: "discord.com", address, resource: index, channel };
  });
}

function addHints(shape: Shape, random: Choices): void {
  if (shape.instances > 1 && random.chance(0.3)) shape.hints = random.pick([0.5, 0.9, 1]);
}

function rateOf(
  load: Shape["load"],
  instances: number,
  random: Choices,
): Pick<Shape, "rate" | "batch"> {
  switch (load) {
    case "idle":
      return { rate: 0.5, batch: 1 };
    case "near capacity":
      return { rate: 8 * instances, batch: random.pick([1, 1, 4]) };
    case "backlog":
      return { rate: random.whole(100, 200), batch: random.pick([20, 100]) };
    case "one buyer":
      return { rate: 5, batch: random.pick([5, 50]) };
    case "slow hosts":
      return { rate: 10, batch: 1 };
    case "crowded places":
      return { rate: 10, batch: random.pick([1, 6]) };
  }
}

function receiversFor(load: Shape["load"], random: Choices): ReceiverPlan[] {
  const manners: Record<Shape["load"], readonly Manner[]> = {
    idle: ["fast", "usual", "slow", "flapping", "failing", "hanging"],
    "near capacity": ["fast", "fast", "usual", "usual", "usual", "flapping", "throttling"],
    backlog: ["slow"],
    "one buyer": ["fast", "usual", "usual", "flapping", "resetting"],
    "slow hosts": ["hanging", "hanging", "slow", "failing", "usual", "fast", "refusing"],
    "crowded places": ["usual", "slow", "usual"],
  };
  const count = load === "backlog" ? random.whole(10, 40) : random.whole(6, 30);
  const resources = Math.max(1, Math.floor(count / random.whole(1, 4)));
  const crowded = load === "crowded places";
  return Array.from({ length: count }, (_, index) => {
    // Hosts are shared, addresses more so.
    const host = crowded ? index % 5 : random.chance(0.2) ? random.int(index + 1) : index;
    return {
      manner: random.pick(manners[load]),
      host: `h${host}.example`,
      address: `203.0.113.${1 + (crowded ? host % 2 : host)}`,
      resource: index % resources,
    };
  });
}

function timesOf(kind: FaultKind, isStorm: boolean, random: Choices): number {
  if (!isStorm) return random.whole(1, kind === "kill" ? 6 : 3);
  // With ten kills in a row deliveries are quarantined, as they should be.
  return kind === "kill" ? random.whole(5, 9) : random.whole(15, 40);
}

function faultsFor(seed: number, shape: Shape, style: Style): Fault[] {
  const faults: Fault[] = [];
  const isStorm = style === "storm";
  const kinds = style === "failovers" ? [...FAULT_KINDS, ...OF_DATABASES] : FAULT_KINDS;
  for (const kind of kinds) {
    const random = choicesFor(seed, kind);
    if (kind !== "failover" && random.chance(0.55)) continue;
    const times = timesOf(kind, isStorm, random);
    for (let i = 0; i < times; i += 1) {
      const at = random.whole(shape.faultsFrom, shape.faultsUntil - 5 * SECOND);
      // Over before the faults are.
      const longest = isStorm ? 3000 : 30_000;
      const ms = Math.min(random.whole(500, longest), shape.faultsUntil - at);
      const instance = random.int(shape.instances);
      faults.push({ id: 0, at, ...faultOf(kind, { ms, instance }, random) });
    }
  }
  faults.sort((one, other) => one.at - other.at);
  for (const [index, fault] of faults.entries()) fault.id = index + 1;
  return faults;
}

type WithoutTime<F> = F extends unknown ? Omit<F, "id" | "at"> : never;

function faultOf(
  kind: FaultKind,
  { ms, instance }: { ms: number; instance: number },
  random: Choices,
): WithoutTime<Fault> {
  switch (kind) {
    case "kill":
    case "restart":
      return { kind, instance, backAfter: Math.min(ms, random.whole(200, 15_000)) };
    case "stop":
      return { kind, instance, ms };
    case "suspend":
      return { kind, instance, ms: ms * random.pick([1, 1, 3]), bothClocks: random.chance(0.4) };
    case "clock": {
      const size = random.pick([5 * SECOND, 60 * SECOND, 3600 * SECOND, 3 * DAY]);
      return { kind, instance, byMs: random.chance(0.5) ? size : -size };
    }
    case "slow store":
      return { kind, ms, factor: random.whole(10, 200) };
    case "stalled store":
      return { kind, ms: Math.min(ms, 20_000) };
    case "refusing store":
      return { kind, ms, part: random.between(0.02, 0.5) };
    case "lost answers": {
      const lateMs = random.pick([0, random.whole(1000, 12_000), random.whole(5000, 60_000)]);
      return { kind, ms: Math.min(ms, 15_000), part: random.between(0.02, 0.6), lateMs };
    }
    case "outage":
      return { kind, ms, hangs: random.chance(0.5) };
    case "failover":
      return { kind, ms: Math.min(ms, 8000), losesMs: random.whole(20, 3000) };
    case "database clock":
      // What waits until a time waits longer where the clock is set back.
      return { kind, byMs: SECOND * random.pick([-20, -10, -3, 3, 10, 60, 3600]) };
  }
}
