import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpsRow } from "../cases/https.ts";
import type { Throughput } from "../rig/measure.ts";
import { broken, goals } from "./goals.ts";
import { fallen, updated } from "./recorded.ts";
import type { Results } from "./results.ts";
import { spread } from "./statistics.ts";

function throughput(perSecond: number, memory = 300): Throughput {
  const cpu = { service: 1, main: 1, workers: 0, database: null, receiver: 1 };
  const rates = { acceptedPerSecond: perSecond, deliveredPerSecond: perSecond };
  return { events: 1, ...rates, cpu, written: null, memory };
}

/** Three rounds in which SQLite reaches these rates, and everything else 100,000. */
function results(rates: readonly number[], memory?: number): Results {
  return {
    rounds: rates.map((rate) => ({
      bareLoop: 100_000,
      fastify: { perSecond: 100_000, cpu: 1 },
      stores: {
        sqlite: {
          batched: throughput(rate, memory),
          single: throughput(rate),
          acceptOnly: throughput(rate),
        },
      },
      peer: null,
    })),
    latency: {},
    badNeighbours: {},
    pending: {},
    manyWebhooks: {},
    https: {},
    skipped: [],
  };
}

function paced(p99: number, soonPerSecond = 1) {
  const percentiles = { count: 1, p50: 1, p99, p999: p99 };
  return { eventsPerSecond: 1, fromReport: percentiles, fromAccepted: percentiles, soonPerSecond };
}

function httpsRow(
  name: string,
  { service, main = 1 }: { service: number; main?: number },
  connections = 0,
): HttpsRow {
  const cpu = { service, main, workers: 0, database: null, receiver: 1 };
  return { ...throughput(1), cpu, name, connections, resumed: 0, bareLoop: null };
}

function verdict(of: Results, name: RegExp): boolean | undefined {
  return goals(of).find((goal) => name.test(goal.name))?.met;
}

test("a goal is judged by the median of the rounds, not by the best of them", () => {
  assert.equal(verdict(results([27_000, 28_000, 90_000]), /bare loop/), true);
  assert.equal(verdict(results([27_000, 27_999, 90_000]), /bare loop/), false);
});

test("memory is judged by the most that any case took", () => {
  assert.equal(verdict(results([1, 1], 400), /memory/), true);
  assert.equal(verdict(results([1, 1], 401), /memory/), false);
});

test("healthy webhooks beside hanging ones are judged by the medians, against the time without those", () => {
  const rounds = (pairs: readonly [number, number][]): Results => ({
    ...results([1]),
    badNeighbours: {
      sqlite: {
        hang: pairs.map(([without, beside]) => ({
          without: paced(without),
          beside: paced(beside),
        })),
      },
    },
  });
  const beside: [number, number][] = [
    [10, 20],
    [10, 500],
    [300, 15],
  ];
  assert.equal(verdict(rounds(beside), /p99 while 30 % hang/), true);
  assert.equal(verdict(rounds([...beside, [10, 21]]), /p99 while 30 % hang/), false);
  assert.equal(verdict(rounds([[100, 120]]), /p99 while 30 % hang/), true);
  assert.equal(verdict(rounds([[100, 121]]), /p99 while 30 % hang/), false);
});

test("the rate of healthy webhooks beside failing ones is judged against the rate without those", () => {
  const beside = (rate: number): Results => ({
    ...results([1]),
    badNeighbours: { sqlite: { fail: [{ without: paced(1, 100), beside: paced(1, rate) }] } },
  });
  assert.equal(verdict(beside(97), /rate while 30 % fail/), true);
  assert.equal(verdict(beside(96), /rate while 30 % fail/), false);
});

test("half load is judged by the median of its rounds, from the 202, and other loads not at all", () => {
  const round = (load: number, p99: number) => {
    const [fromReport, fromAccepted] = [p99 * 10, p99].map((ms) => ({
      count: 1,
      p50: 1,
      p99: ms,
      p999: ms,
    }));
    assert.ok(fromReport && fromAccepted);
    return { load, eventsPerSecond: 1, fromReport, fromAccepted, soonPerSecond: 1 };
  };
  const rounds = (...p99s: number[]): Results => ({
    ...results([1]),
    latency: { sqlite: p99s.flatMap((p99) => [round(0.5, p99), round(0.8, 1000)]) },
  });
  assert.equal(verdict(rounds(5, 30, 500), /p99 at half/), true);
  assert.equal(verdict(rounds(5, 31, 500), /p99 at half/), false);
});

test("accepting is judged by its CPU next to fastify's, the database's included, and not where no system tells", () => {
  const accepting = (service: number | null, database: number | null, alone: number | null) => {
    const [round] = results([1]).rounds;
    assert.ok(round);
    const acceptOnly = throughput(1);
    acceptOnly.cpu = { ...acceptOnly.cpu, service, database };
    round.fastify.cpu = alone;
    round.stores = { postgres: { batched: throughput(1), single: throughput(1), acceptOnly } };
    return { ...results([]), rounds: [round] };
  };
  assert.equal(verdict(accepting(7, 4, 2), /CPU : fastify alone/), true);
  assert.equal(verdict(accepting(7, 4.1, 2), /CPU : fastify alone/), false);
  assert.equal(verdict(accepting(11.1, null, 2), /CPU : fastify alone/), false);
  assert.equal(verdict(accepting(null, null, 2), /CPU : fastify alone/), undefined);
  assert.equal(verdict(accepting(7, 4, null), /CPU : fastify alone/), undefined);
});

test("what was not measured is no goal, neither met nor missed", () => {
  assert.equal(verdict(results([1]), /BullMQ/), undefined);
  assert.equal(verdict(results([1]), /PostgreSQL/), undefined);
});

test("a fall below two thirds of what is recorded is told, and one above is not", () => {
  const before = { rates: { sqlite: 0.3 }, written: {} };
  const now = (sqlite: number) => ({ rates: { sqlite }, written: {} });
  assert.deepEqual(fallen(before, now(0.21)), []);
  assert.match(fallen(before, now(0.19))[0] ?? "", /^sqlite: 0.19 .* 0.3 is recorded/);
  assert.deepEqual(fallen(before, { rates: {}, written: {} }), []);
});

test("half as many bytes again as are recorded are told, and fewer are not", () => {
  const before = { rates: {}, written: { sqlite: 1000 } };
  const now = (sqlite: number) => ({ rates: {}, written: { sqlite } });
  assert.deepEqual(fallen(before, now(1500)), []);
  assert.match(fallen(before, now(1501))[0] ?? "", /^sqlite: 1501 bytes .* 1000 are recorded/);
});

test("recording one store's figures keeps the other's, which CI would no longer ask for", () => {
  const before = {
    rates: { sqlite: 0.3, postgres: 0.2 },
    written: { sqlite: 1000, postgres: 2000 },
  };
  const now = { rates: { sqlite: 0.4 }, written: {} };
  assert.deepEqual(updated(before, now), {
    rates: { sqlite: 0.4, postgres: 0.2 },
    written: { sqlite: 1000, postgres: 2000 },
  });
});

test("https is judged by connections, which CI asks for, and by its CPU beside http in the same round", () => {
  const row = (name: string, service: number, connections: number) =>
    httpsRow(name, { service }, connections);
  const rounds = (service: number, connections: number): Results => ({
    ...results([1]),
    https: { sqlite: [row("http kept", 10, 0), row("https kept, 0 ms", service, connections)] },
  });
  assert.equal(verdict(rounds(15, 0.02), /CPU : http/), true);
  assert.equal(verdict(rounds(15.1, 0.02), /CPU : http/), false);
  assert.deepEqual(broken(goals(rounds(15.1, 0.02))), []);
  assert.match(broken(goals(rounds(15, 0.021)))[0] ?? "", /0 ms, new connections: 0.021; 0.02/);
});

test("a sender thread is judged beside none, and its https beside its http", () => {
  const rounds = (kept: number, main: number, handshake: number): Results => ({
    ...results([100_000]),
    https: {
      sqlite: [
        httpsRow("http kept", { service: 10 }),
        httpsRow("https kept, 0 ms", { service: 14, main: 10 }),
        httpsRow("https resumed", { service: 100, main: 100 }),
        httpsRow("1 sender thread, http kept", { service: 12 }),
        httpsRow("1 sender thread, https kept, 0 ms", { service: kept, main }),
        httpsRow("1 sender thread, https resumed", { service: 100, main: handshake }),
      ],
    },
  });
  const missed = (of: Results): string[] =>
    goals(of).flatMap(({ met, name }) =>
      met ? [] : [name.replace("SQLite: 1 sender thread, ", "")],
    );
  assert.deepEqual(missed(rounds(17.5, 5, 12)), []);
  assert.deepEqual(missed(rounds(17.6, 5.1, 12.1)), [
    "https kept, 0 ms, main thread's CPU : without threads",
    "https kept, 0 ms, CPU : without threads",
    "https resumed, main thread's CPU : without threads",
  ]);
  const like = /1 sender thread, https kept, 0 ms, CPU : 1 sender thread, http kept/;
  assert.equal(verdict(rounds(18, 5, 12), like), true);
  assert.equal(verdict(rounds(18.1, 5, 12), like), false);
});

test("the median of an even number of repeats lies between the two in the middle", () => {
  assert.deepEqual(spread([4, 1, 3, 2]), { median: 2.5, least: 1, most: 4 });
  assert.deepEqual(spread([5]), { median: 5, least: 5, most: 5 });
});
