import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { MarkethookError } from "@markethook/protocol";
import type { AcceptItem, AcceptOutcome, LeaseBudget } from "@markethook/store";
import { createIntake } from "./intake.ts";
import { fakeClock, turn } from "../wiring/testing/fake-clock.ts";
import { createRecorder } from "../wiring/testing/recorder.ts";
import { sampleDelivery } from "../wiring/testing/samples.ts";

const ITEM_BYTES = 400;

interface Commit {
  items: readonly AcceptItem[];
  budget: LeaseBudget | null;
  succeed(change?: Partial<AcceptOutcome>): void;
  fail(error: Error): void;
}

function setUp(
  t: TestContext,
  options: { maxBytes?: number; singleWriter?: boolean; caughtUp?: Promise<void> } = {},
) {
  const clock = fakeClock(t);
  const seen = createRecorder();
  const commits: Commit[] = [];
  const taken: { budget: LeaseBudget | null; outcome: AcceptOutcome | null }[] = [];
  let reserved = 0;
  const intake = createIntake({
    events: {
      accept: (items, budget) =>
        new Promise((resolve, reject) => {
          commits.push({
            items,
            budget,
            fail: reject,
            succeed: (change) =>
              resolve({
                results: items.map(({ tag }) => ({
                  kind: "accepted",
                  eventId: `evt_${tag}`,
                  deliveries: 1,
                })),
                preLeased: [],
                webhooks: [],
                notPreLeased: 0,
                claimable: 0,
                blocked: [],
                ...change,
              }),
          });
        }),
    },
    handoff: {
      caughtUp: () => options.caughtUp ?? Promise.resolve(),
      budget() {
        reserved += 1;
        return { instanceNo: 1, bytes: 1000, share: 10, full: [], read: [] };
      },
      take(budget, outcome) {
        reserved -= 1;
        taken.push({ budget, outcome });
      },
    },
    observer: seen,
    now: clock.now,
    maxBytes: options.maxBytes ?? 1_000_000,
    timeoutMs: 2000,
    singleWriter: options.singleWriter ?? true,
  });
  const commit = (index: number): Commit => {
    const found = commits[index];
    assert.ok(found, `commit ${index} has not begun`);
    return found;
  };
  return { intake, clock, seen, commits, commit, taken, reserved: () => reserved };
}

function item(tag: string): AcceptItem {
  return { resourceId: "castle", name: "product.user.purchase", time: 1, tag, userId: 1 };
}

function withCode(code: string) {
  return (error: unknown): boolean => error instanceof MarkethookError && error.code === code;
}

test("requests that arrive during a commit share the next one, and are answered only after it", async (t) => {
  const { intake, commits, commit, seen } = setUp(t);
  const first = intake.accept([item("a")]);
  await turn();
  let answered = 0;
  const later = [intake.accept([item("b")]), intake.accept([item("c"), item("d")])].map(
    async (one) => {
      const results = await one;
      answered += 1;
      return results.map((result) => (result.kind === "accepted" ? result.eventId : ""));
    },
  );
  commit(0).succeed();
  await first;
  await turn();
  assert.deepEqual(
    commit(1).items.map(({ tag }) => tag),
    ["b", "c", "d"],
  );
  assert.equal(answered, 0);
  commit(1).succeed();
  assert.deepEqual(await Promise.all(later), [["evt_b"], ["evt_c", "evt_d"]]);
  assert.equal(commits.length, 2);
  assert.deepEqual(
    seen.of("accepted").map(({ items }) => items),
    [1, 3],
  );
});

test("a commit begins once what was accepted before has left", async (t) => {
  const sending = Promise.withResolvers<void>();
  const { intake, commits, commit } = setUp(t, { caughtUp: sending.promise });
  const all = [intake.accept([item("a")])];
  await turn();
  all.push(intake.accept([item("b")]));
  await turn();
  assert.equal(commits.length, 0);
  sending.resolve();
  await turn();
  assert.equal(commits.length, 1);
  commit(0).succeed();
  await turn();
  commit(1).succeed();
  await Promise.all(all);
});

test("with more than one writer a crowd of requests does not wait for the commit before", async (t) => {
  const { intake, commits, commit } = setUp(t, { singleWriter: false });
  const crowd = (): Promise<unknown>[] =>
    Array.from({ length: 64 }, (_, index) => intake.accept([item(`${index}`)]));
  const all = crowd();
  await turn();
  all.push(...crowd());
  await turn();
  assert.deepEqual(
    commits.map(({ items }) => items.length),
    [64, 64],
  );
  all.push(intake.accept([item("late")]));
  await turn();
  assert.equal(commits.length, 2);
  commit(0).succeed();
  await turn();
  assert.equal(commits.length, 2);
  commit(1).succeed();
  await turn();
  commit(2).succeed();
  await Promise.all(all);
});

test("the next commit is on its way before what the last one leased is handed on", async (t) => {
  const { intake, commits, commit, taken } = setUp(t);
  const first = intake.accept([item("a")]);
  await turn();
  const second = intake.accept([item("b")]);
  await turn();
  const preLeased = [sampleDelivery()];
  commit(0).succeed({ preLeased });
  for (let left = 50; left > 0 && commits.length === 1; left -= 1) await Promise.resolve();
  assert.deepEqual([commits.length, taken.length], [2, 0]);
  await first;
  assert.deepEqual(taken[0]?.outcome?.preLeased, preLeased);
  commit(1).succeed();
  await second;
});

test("at the cap the answer is overloaded at once, and room comes back with the commit", async (t) => {
  const { intake, commit } = setUp(t, { maxBytes: 2 * ITEM_BYTES });
  const first = intake.accept([item("a")]);
  const second = intake.accept([item("b")]);
  await assert.rejects(intake.accept([item("c")]), withCode("overloaded"));
  await turn();
  commit(0).succeed();
  await Promise.all([first, second]);
  await turn();
  const third = intake.accept([item("d")]);
  await turn();
  commit(1).succeed();
  await third;
});

test("the texts that come with an event count too, those of its resource among them", async (t) => {
  const text = "x".repeat(ITEM_BYTES);
  const version = {
    version: "1",
    id: "u1",
    time: 1,
    size: "1",
    fileType: "zip",
    branch: "release",
  };
  const update = { ...version, title: "", description: "" };
  const owned = { title: "", ownerId: "mason" };
  const changes: Partial<AcceptItem>[] = [
    { details: text },
    { update: { ...update, title: text } },
    { update: { ...update, description: text } },
    { resource: { ...owned, title: text } },
    { resource: { ...owned, subtitle: text } },
  ];
  const { intake, commits } = setUp(t, { maxBytes: 2 * ITEM_BYTES });
  for (const change of changes) {
    const first = intake.accept([{ ...item("a"), ...change }]);
    const second = intake.accept([item("b")]).catch((error: unknown) => error);
    for (let index = 0; index < 2; index += 1) {
      await turn();
      for (const commit of commits) commit.succeed();
    }
    await first;
    assert.ok(withCode("overloaded")(await second), Object.keys(change).join());
  }
});

test("a batch larger than the cap is taken when nothing else is there", async (t) => {
  const { intake, commit } = setUp(t, { maxBytes: 10 });
  const large = intake.accept([item("a"), item("b")]);
  await turn();
  commit(0).succeed();
  await large;
});

test("room comes back with a commit that fails, too", async (t) => {
  const { intake, commit } = setUp(t, { maxBytes: ITEM_BYTES });
  const first = intake.accept([item("a")]);
  await turn();
  commit(0).fail(new MarkethookError("store_unavailable", { detail: "test" }));
  await assert.rejects(first, withCode("store_unavailable"));
  await turn();
  const second = intake.accept([item("b")]);
  await turn();
  commit(1).succeed();
  await second;
});

test("after the time limit the outcome is unknown, while the commit goes on and is taken over", async (t) => {
  const { intake, clock, commit, taken, commits } = setUp(t);
  const slow = assert.rejects(intake.accept([item("a")]), withCode("outcome_unknown"));
  await turn();
  await clock.advance(1990);
  assert.equal(taken.length, 0);
  await clock.advance(10);
  await slow;
  const preLeased = [sampleDelivery()];
  commit(0).succeed({ preLeased });
  await turn();
  assert.deepEqual(taken[0]?.outcome?.preLeased, preLeased);
  assert.equal(commits.length, 1);
});

test("the room that was offered is given back exactly once, whatever comes of the commit", async (t) => {
  const { intake, commit, taken, reserved } = setUp(t);
  const first = intake.accept([item("a")]);
  await turn();
  assert.equal(reserved(), 1);
  commit(0).fail(new Error("broken"));
  await assert.rejects(first, /broken/);
  assert.equal(reserved(), 0);
  // Null: what it leased is not known.
  assert.deepEqual(
    taken.map(({ outcome }) => outcome),
    [null],
  );
  const second = intake.accept([item("b")]);
  await turn();
  commit(1).succeed();
  await second;
  assert.equal(reserved(), 0);
  assert.equal(taken.length, 2);
});

test("stopping takes nothing more, and ends when what was taken is answered", async (t) => {
  const { intake, commit } = setUp(t);
  const first = intake.accept([item("a")]);
  let stopped = false;
  const stop = intake.stop().then(() => (stopped = true));
  await assert.rejects(intake.accept([item("b")]), withCode("shutting_down"));
  await turn();
  assert.equal(stopped, false);
  commit(0).succeed();
  await first;
  await stop;
});
