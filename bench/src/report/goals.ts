import type { BadManner, BadNeighbours } from "../cases/bad-neighbours.ts";
import type { HttpsRow } from "../cases/https.ts";
import type { StoreKind } from "../rig/service.ts";
import type { Results, Round } from "./results.ts";
import { spread, type Spread } from "./statistics.ts";

/** One thing that must hold, and whether it does. */
export interface Goal {
  name: string;
  value: Spread;
  /** The least, or with `atMost` the most, that it may be. */
  limit: number;
  atMost: boolean;
  unit: "" | " ms" | " MiB";
  met: boolean;
  /** A count, which does not depend on the machine's speed: CI asks for it. */
  steady: boolean;
}

/** Sentences about counts that are not as they must be. */
export function broken(checked: readonly Goal[]): string[] {
  return checked
    .filter(({ steady, met }) => steady && !met)
    .map(({ name, value, limit }) => `${name}: ${value.median.toFixed(3)}; ${limit} is allowed.`);
}

const KINDS: readonly StoreKind[] = ["sqlite", "postgres"];
const NAMES: Readonly<Record<StoreKind, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

const LIMITS: Readonly<Record<StoreKind, Readonly<Record<string, number>>>> = {
  sqlite: { bare: 0.28, peer: 2.2, peerSingle: 1, pending: 0.85, accepting: 4 },
  postgres: { bare: 0.24, peer: 1.8, peerSingle: 0.6, pending: 0.75, accepting: 5.5 },
};
const MANY_WEBHOOKS = 0.8;
const MEMORY_MIB = 400;
const HALF_LOAD = { p50: 3, p99: 30 };
/**
 * CPU of an https delivery to that of the same one with http, and new connections for each; CPU of a resumed handshake
 * with cheaper curves, to that without, which decision 35 made cheaper too; full handshakes of all where sessions are
 * known.
 */
const HTTPS = { cpu: 1.5, connections: 0.02, curves: 0.9, full: 0.05 };
/** CPU with one sender thread to that without: of the main thread per kept delivery and per handshake, and of all. */
const THREAD = { kept: 0.5, handshake: 0.12, total: 1.25 };
/** Rows of https are named so when threads send. */
const WITH_THREADS = /^\d+ sender threads?, /;
const HANGING = { factor: 1.2, extraMs: 10 };
/** Healthy rate next to bad neighbours, to that without them. */
const HEALTHY_RATE = 0.97;

export function goals(results: Results): Goal[] {
  return KINDS.flatMap((kind) => ofStore(kind, results));
}

function ofStore(kind: StoreKind, results: Results): Goal[] {
  const list: Goal[] = [];
  const limits = LIMITS[kind];
  const name = NAMES[kind];
  const ratio = (
    title: string,
    limit: number | undefined,
    of: (round: Round) => Ratio,
    atMost = false,
  ): void => {
    const values = results.rounds.flatMap((round) => {
      const [a, b] = of(round);
      return a === undefined || b === undefined ? [] : [a / b];
    });
    if (values.length > 0 && limit !== undefined) {
      list.push(goal(`${name}: ${title}`, values, limit, "", atMost));
    }
  };
  ratio("batched, end to end : bare loop", limits["bare"], (round) => [
    round.stores[kind]?.batched.deliveredPerSecond,
    round.bareLoop,
  ]);
  ratio("batched, end to end : BullMQ", limits["peer"], (round) => [
    round.stores[kind]?.batched.deliveredPerSecond,
    round.peer?.batchedPerSecond,
  ]);
  ratio(
    "one by one, accept only, CPU : fastify alone",
    limits["accepting"],
    (round) => {
      const { service = null, database = null } = round.stores[kind]?.acceptOnly.cpu ?? {};
      const together = service === null ? undefined : service + (database ?? 0);
      return [together, round.fastify.cpu ?? undefined];
    },
    true,
  );
  ratio("one by one, end to end : BullMQ", limits["peerSingle"], (round) => [
    round.stores[kind]?.single.deliveredPerSecond,
    round.peer?.singlePerSecond,
  ]);

  const { pending, manyWebhooks, latency } = results;
  const rows = pending[kind];
  if (rows !== undefined) {
    const value = rows.full.deliveredPerSecond / rows.empty.deliveredPerSecond;
    list.push(goal(`${name}: many pending : none`, [value], limits["pending"] ?? 0, "", false));
  }
  const webhooks = manyWebhooks[kind];
  if (webhooks !== undefined) {
    const values = webhooks.map(
      ({ few, many }) => many.deliveredPerSecond / few.deliveredPerSecond,
    );
    list.push(goal(`${name}: many webhooks : 100`, values, MANY_WEBHOOKS, "", false));
  }
  list.push(...ofBadNeighbours(name, results.badNeighbours[kind] ?? {}));
  const half = latency[kind]?.filter(({ load }) => load === 0.5);
  if (half !== undefined) {
    for (const part of ["p50", "p99"] as const) {
      const values = half.map(({ fromAccepted }) => fromAccepted[part]);
      list.push(goal(`${name}: ${part} at half load`, values, HALF_LOAD[part], " ms", true));
    }
  }
  list.push(...ofHttps(name, results.https[kind] ?? []));
  const memory = memoryOf(kind, results);
  if (memory.length > 0) {
    list.push(goal(`${name}: most memory`, [Math.max(...memory)], MEMORY_MIB, " MiB", true));
  }
  return list;
}

function ofBadNeighbours(
  store: string,
  { hang = [], fail = [] }: Partial<Record<BadManner, BadNeighbours[]>>,
): Goal[] {
  const list: Goal[] = [];
  for (const [words, rounds] of [
    ["30 % hang", hang],
    ["30 % fail", fail],
  ] as const) {
    if (rounds.length === 0) continue;
    const rates = rounds.map(({ without, beside }) => beside.soonPerSecond / without.soonPerSecond);
    const title = `${store}: healthy rate while ${words} : without`;
    list.push(goal(title, rates, HEALTHY_RATE, "", false));
  }
  if (hang.length === 0) return list;
  const without = spread(hang.map((round) => round.without.fromReport.p99)).median;
  const limit = Math.max(without * HANGING.factor, without + HANGING.extraMs);
  const title = `${store}: healthy p99 while 30 % hang (without: ${without.toFixed(1)} ms)`;
  const values = hang.map(({ beside }) => beside.fromReport.p99);
  return [...list, goal(title, values, limit, " ms", true)];
}

function ofHttps(store: string, rows: readonly HttpsRow[]): Goal[] {
  const names = new Set(rows.map(({ name }) => name).filter((name) => /kept,|bursts/.test(name)));
  const list: Goal[] = [];
  for (const name of names) {
    if (!name.includes("https")) continue;
    const threads = WITH_THREADS.exec(name)?.[0] ?? "";
    const like = threads + (name.includes("bursts") ? "http in bursts" : "http kept");
    const http = rows.filter((row) => row.name === like);
    const mine = rows.filter((row) => row.name === name);
    const title = `${store}: ${name}`;
    const connections = mine.map((row) => row.connections);
    const dials = goal(`${title}, new connections`, connections, HTTPS.connections, "", true);
    list.push({ ...dials, steady: true });
    const ratios = cpuRatios(mine, http, "service");
    if (ratios.length > 0) list.push(goal(`${title}, CPU : ${like}`, ratios, HTTPS.cpu, "", true));
  }
  return [...list, ...ofOneThread(store, rows), ...ofHandshakes(store, rows)];
}

/** Bursts are left out: they measure connections, and mostly idle threads. */
function ofOneThread(store: string, rows: readonly HttpsRow[]): Goal[] {
  const list: Goal[] = [];
  const names = new Set(rows.map(({ name }) => name));
  for (const name of names) {
    if (!/^1 sender thread, https (kept|fresh|resumed)/.test(name)) continue;
    const mine = rows.filter((row) => row.name === name);
    const inline = rows.filter((row) => row.name === name.replace(WITH_THREADS, ""));
    for (const [part, words, limit] of [
      ["main", "main thread's CPU", name.includes("kept") ? THREAD.kept : THREAD.handshake],
      ["service", "CPU", THREAD.total],
    ] as const) {
      const ratios = cpuRatios(mine, inline, part);
      if (ratios.length === 0) continue;
      list.push(goal(`${store}: ${name}, ${words} : without threads`, ratios, limit, "", true));
    }
  }
  return list;
}

function ofHandshakes(store: string, rows: readonly HttpsRow[]): Goal[] {
  const list: Goal[] = [];
  const usual = rows.filter(({ name }) => name === "https resumed");
  const others = rows.filter(({ name }) => /^[^ ]+:.*https resumed$/.test(name));
  const ratios = cpuRatios(others, usual, "service");
  if (ratios.length > 0) {
    const title = `${store}: https resumed with curves set, CPU : without`;
    list.push(goal(title, ratios, HTTPS.curves, "", true));
  }
  for (const { name, resumed } of rows.filter((row) => row.name.endsWith("origins"))) {
    const full = goal(`${store}: ${name}, full handshakes`, [1 - resumed], HTTPS.full, "", true);
    list.push({ ...full, steady: true });
  }
  return list;
}

/** Round by round; none where the system does not tell the CPU time. */
function cpuRatios(
  rows: readonly HttpsRow[],
  others: readonly HttpsRow[],
  part: "service" | "main",
): number[] {
  return rows.flatMap(({ cpu }, round) => {
    const beside = others[round]?.cpu[part] ?? null;
    return cpu[part] === null || beside === null ? [] : [cpu[part] / beside];
  });
}

type Ratio = [of: number | undefined, to: number | undefined];

function memoryOf(kind: StoreKind, { rounds, pending, manyWebhooks }: Results): number[] {
  const runs = [
    ...rounds.flatMap(({ stores }) => Object.values(stores[kind] ?? {})),
    ...Object.values(pending[kind] ?? {}),
    ...(manyWebhooks[kind] ?? []).flatMap(({ few, many }) => [few, many]),
  ];
  return runs.flatMap(({ memory }) => (memory === null ? [] : [memory]));
}

function goal(
  name: string,
  values: readonly number[],
  limit: number,
  unit: Goal["unit"],
  atMost: boolean,
): Goal {
  const value = spread(values);
  const met = atMost ? value.median <= limit : value.median >= limit;
  return { name, value, limit, atMost, unit, met, steady: false };
}
