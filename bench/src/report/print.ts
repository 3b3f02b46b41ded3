import { styleText } from "node:util";
import type { HttpsRow } from "../cases/https.ts";
import type { Cpu, Throughput } from "../rig/measure.ts";
import type { Percentiles } from "../rig/paced.ts";
import type { Goal } from "./goals.ts";
import type { Results } from "./results.ts";
import { spread, type Spread } from "./statistics.ts";

/** The tables that a person reads; the same figures stand in the JSON. */
export function printResults(results: Results, goals: readonly Goal[]): void {
  printCosts(results);
  printRates(results);
  printLatencies(results);
  console.log("\nWhat must hold");
  for (const { name, value, limit, atMost, unit, met } of goals) {
    const digits = unit === "" ? 2 : 1;
    const verdict = met ? styleText("green", "met   ") : styleText("red", "MISSED");
    const bound = `${atMost ? "at most" : "at least"} ${limit.toFixed(digits)}${unit}`;
    console.log(`  ${verdict} ${name}: ${show(value, digits)}${unit} (${bound})`);
  }
  for (const reason of results.skipped) console.log(`  skipped: ${reason}`);
}

/** Of the names in the table of costs. */
const WIDTH = 34;

/** The headline: what a delivery costs says more than a rate, which the load and the receivers share. */
function printCosts({ rounds, https }: Results): void {
  console.log("\nCPU microseconds per event (median of the rounds)");
  const alone = median(rounds.map(({ fastify }) => fastify.cpu));
  if (alone !== null) {
    console.log(`  ${"fastify alone, one by one".padEnd(WIDTH)} ${(alone * 10).toFixed(0)}`);
  }
  for (const kind of ["sqlite", "postgres"] as const) {
    for (const [name, of] of [
      ["batched", "batched"],
      ["one by one, accept only", "acceptOnly"],
    ] as const) {
      const rates = rounds.flatMap(({ stores }) => stores[kind]?.[of] ?? []);
      if (rates.length > 0) console.log(`  ${`${kind}, ${name}`.padEnd(WIDTH)} ${costText(rates)}`);
    }
    const rows = Object.groupBy(https[kind] ?? [], ({ name }) => name);
    for (const [name, same = []] of Object.entries(rows)) {
      const middle = (of: (row: HttpsRow) => number): string =>
        spread(same.map(of)).median.toFixed(3);
      const bare = median(same.map((row) => row.bareLoop));
      console.log(
        `  ${`${kind}, ${name}`.padEnd(WIDTH)} ${costText(same)}, ` +
          `${middle((row) => row.connections)} connections (${middle((row) => row.resumed)} resumed)` +
          (bare === null ? "" : `; undici's loop ${(bare * 10).toFixed(0)}`),
      );
    }
  }
}

function costText(runs: readonly Pick<Throughput, "cpu" | "written">[]): string {
  const cpu = (name: keyof Cpu): string =>
    ((median(runs.map((run) => run.cpu[name])) ?? Number.NaN) * 10).toFixed(0);
  const database = runs.some((run) => run.cpu.database !== null)
    ? `, database ${cpu("database")}`
    : "";
  const bytes = median(runs.map((run) => run.written));
  return (
    `service ${cpu("service")} (main ${cpu("main")}, workers ${cpu("workers")})${database}, ` +
    `receiver ${cpu("receiver")}${bytes === null ? "" : `; ${bytes.toFixed(0)} bytes written`}`
  );
}

function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : spread(known).median;
}

function printRates({ rounds, pending, manyWebhooks }: Results): void {
  console.log("\nPer second (median of the rounds, least and most)");
  const line = (name: string, values: (number | undefined)[]): void => {
    const known = values.filter((value) => value !== undefined);
    if (known.length > 0) console.log(`  ${name.padEnd(44)} ${show(spread(known), 0)}`);
  };
  line(
    "bare client loop",
    rounds.map((round) => round.bareLoop),
  );
  line(
    "fastify alone, one by one",
    rounds.map((round) => round.fastify.perSecond),
  );
  for (const kind of ["sqlite", "postgres"] as const) {
    const of = rounds.flatMap(({ stores }) => stores[kind] ?? []);
    line(
      `${kind}, batches of 100, delivered`,
      of.map((rates) => rates.batched.deliveredPerSecond),
    );
    line(
      `${kind}, batches of 100, accepted`,
      of.map((rates) => rates.batched.acceptedPerSecond),
    );
    line(
      `${kind}, one by one, delivered`,
      of.map((rates) => rates.single.deliveredPerSecond),
    );
    line(
      `${kind}, one by one, accept only`,
      of.map((rates) => rates.acceptOnly.acceptedPerSecond),
    );
    const rows = pending[kind];
    line(`${kind}, nothing pending`, [rows?.empty.deliveredPerSecond]);
    line(`${kind}, many pending`, [rows?.full.deliveredPerSecond]);
    const webhooks = manyWebhooks[kind] ?? [];
    line(
      `${kind}, 100 webhooks`,
      webhooks.map(({ few }) => few.deliveredPerSecond),
    );
    line(
      `${kind}, many webhooks`,
      webhooks.map(({ many }) => many.deliveredPerSecond),
    );
  }
  const peers = rounds.flatMap(({ peer }) => peer ?? []);
  line(
    "BullMQ, batches of 100, delivered",
    peers.map((peer) => peer.batchedPerSecond),
  );
  line(
    "BullMQ, one by one, delivered",
    peers.map((peer) => peer.singlePerSecond),
  );
}

function printLatencies({ latency, badNeighbours }: Results): void {
  const line = (name: string, { p50, p99, p999, count }: Percentiles): void =>
    console.log(
      `  ${name.padEnd(44)} p50 ${p50.toFixed(2)}  p99 ${p99.toFixed(2)}  p99.9 ${p999.toFixed(2)}  (${count})`,
    );
  for (const [kind, loads] of Object.entries(latency)) {
    console.log(`\n${kind}: milliseconds until the receiver has it, reported one by one`);
    for (const { load, eventsPerSecond, fromReport, fromAccepted } of loads) {
      const at = `${load * 100} % load, ${Math.round(eventsPerSecond)}/s`;
      line(`${at}, from the report`, fromReport);
      line(`${at}, from its 202`, fromAccepted);
    }
  }
  for (const [kind, { hang = [], fail = [] }] of Object.entries(badNeighbours)) {
    console.log(`\n${kind}: healthy webhooks, milliseconds from the report`);
    for (const [words, rounds] of [
      ["30 % never answer", hang],
      ["30 % answer 500", fail],
    ] as const) {
      for (const { without, beside } of rounds) {
        line(`all answer, ${Math.round(without.soonPerSecond)}/s`, without.fromReport);
        line(`${words}, ${Math.round(beside.soonPerSecond)}/s`, beside.fromReport);
      }
    }
  }
}

function show({ median, least, most }: Spread, digits: number): string {
  const text = median.toFixed(digits);
  return least === most ? text : `${text} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
