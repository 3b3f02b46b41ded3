import { serveCalls } from "./calls.ts";
import { clock } from "./clock.ts";
import { type Answer, Poster } from "./post.ts";

const MOST_REPEATS = 20;
const REPEAT_MS = 500;

/** The marketplace of a run, in a process of its own: reports purchases and keeps the answers. */
let poster: Poster | null = null;
let resources: string[] = [];
let reported = 0;
/** Makes idempotency keys differ between the runs of one store. */
let run = 0;

const calls = {
  /** Closes the connections from before: those that add up are cut at the service's limit, and new ones with them. */
  async connect(input: {
    origin: string;
    key: string;
    connections: number;
    resources: string[];
    run: number;
  }): Promise<void> {
    await poster?.close();
    poster = new Poster(input.origin, input.connections, { authorization: `Bearer ${input.key}` });
    resources = input.resources;
    run = input.run;
  },

  /** As fast as answers come, with so many requests open. */
  async flood(input: { events: number; batch: number; inFlight: number }): Promise<LoadCounts> {
    const bodies: Report[] = [];
    for (let at = 0; at < input.events; at += input.batch) {
      bodies.push(makeReport(Math.min(input.batch, input.events - at)));
    }
    const counts = noCounts();
    counts.startedAt = clock();
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < bodies.length) {
        const body = bodies[next];
        next += 1;
        if (body !== undefined) count(counts, await send(body));
      }
    };
    await Promise.all(Array.from({ length: input.inFlight }, worker));
    counts.endedAt = clock();
    return counts;
  },

  /**
   * At a fixed average rate with random gaps, whether answers come or not, so that a slow answer does not keep the
   * next one from being asked for.
   */
  async pace(input: {
    eventsPerSecond: number;
    seconds: number;
    batch: number;
  }): Promise<LoadCounts & { reports: Reported[] }> {
    const counts = noCounts();
    const reports: Reported[] = [];
    const open: Promise<void>[] = [];
    counts.startedAt = clock();
    const end = counts.startedAt + input.seconds * 1000;
    const gap = (input.batch / input.eventsPerSecond) * 1000;
    let dueAt = counts.startedAt;
    while (dueAt < end) {
      while (dueAt <= clock() && dueAt < end) {
        open.push(one(dueAt));
        dueAt += -Math.log(1 - Math.random()) * gap;
      }
      await new Promise(setImmediate);
    }
    await Promise.all(open);
    counts.endedAt = clock();
    return { ...counts, reports };

    async function one(sentAt: number): Promise<void> {
      const report = makeReport(input.batch);
      const answer = await send(report);
      const answeredAt = clock();
      count(counts, answer);
      for (const [, id] of answer.text.matchAll(/"(evt_[0-9a-z]+)"/g)) {
        reports.push({ id: id ?? "", resource: report.resource, sentAt, answeredAt });
      }
    }
  },
};

export type LoadCalls = typeof calls;

/** When an event was due to be reported, and when it was accepted; milliseconds of the machine's monotonic clock. */
export interface Reported {
  id: string;
  /** Empty in a batch, which is about many. */
  resource: string;
  sentAt: number;
  answeredAt: number;
}

export interface LoadCounts {
  startedAt: number;
  endedAt: number;
  accepted: number;
  /** Everything else that was answered. */
  refused: number;
  /** Requests answered with 503 and sent again, as a marketplace does: a machine may stand still for two seconds. */
  repeated: number;
}

function noCounts(): LoadCounts {
  return { startedAt: 0, endedAt: 0, accepted: 0, refused: 0, repeated: 0 };
}

/** The same keys each time, so that nothing is stored twice. */
async function send({ path, body }: Report): Promise<Answer & { repeats: number }> {
  if (poster === null) throw new Error("connect first");
  for (let repeats = 0; ; repeats += 1) {
    const answer = await poster.send(path, body);
    if (answer.status !== 503 || repeats === MOST_REPEATS) return { ...answer, repeats };
    await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
  }
}

function count(counts: LoadCounts, answer: Answer & { repeats: number }): void {
  const { status, text, repeats } = answer;
  counts.repeated += repeats;
  // A single event that is known already.
  const repeated = repeats > 0 && status === 200;
  if (status !== 202 && !repeated) {
    counts.refused += 1;
    return;
  }
  for (let at = text.indexOf('"status":"'); at !== -1; at = text.indexOf('"status":"', at + 10)) {
    const known = repeats > 0 && text.startsWith("duplicate", at + 10);
    if (known || text.startsWith("accepted", at + 10)) counts.accepted += 1;
    else counts.refused += 1;
  }
}

interface Report {
  path: string;
  body: string;
  resource: string;
}

/** One event has a route of its own; more go to the batch route. */
function makeReport(events: number): Report {
  if (events === 1) {
    const resource = nextResource();
    return { path: `/v1/resources/${resource}/events`, body: `{${purchase()}}`, resource };
  }
  const items = Array.from({ length: events }, () => {
    const resource = nextResource();
    return `{"resourceId":"${resource}",${purchase()}}`;
  });
  return { path: "/v1/events", body: `{"events":[${items.join(",")}]}`, resource: "" };
}

function nextResource(): string {
  reported += 1;
  return resources[reported % resources.length] ?? "";
}

/** Every purchase is another buyer's, with the key of its order. */
function purchase(): string {
  return (
    `"event":"product.user.purchase","user":{"id":${reported}},"idempotencyKey":"order-${run}-${reported}",` +
    `"details":{"buyerName":"Buyer ${reported}","amount":"4.99","currency":"EUR","orderId":"${reported}"}`
  );
}

serveCalls(calls);
