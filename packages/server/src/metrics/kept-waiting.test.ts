import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dispatcher } from "@markethook/dispatcher";
import type { Store } from "@markethook/store";
import pino from "pino";
import { createObserving } from "../observing.ts";

test("the age of the oldest due delivery leaves out the webhooks that the dispatcher names as kept waiting by their receivers", async () => {
  const asked: (readonly number[] | undefined)[] = [];
  const store = {
    deliveries: {
      oldestDue: async (_above: number, _upTo: number, _most: number, without?: number[]) => {
        asked.push(without);
        return { ageMs: 0, webhooks: 0, lastNo: null };
      },
    },
    maintenance: { statistics: async () => ({}) },
    attemptCounts: {},
  } as unknown as Store; // The figures ask for no more.
  const { figures } = createObserving({
    store,
    notices: { view: async () => null },
    dispatcher: () =>
      ({ keptWaiting: () => [3, 7] }) as Pick<Dispatcher, "keptWaiting"> as Dispatcher,
    app: () => assert.fail("no connections are counted"),
    now: () => 0,
    logger: pino({ level: "silent" }),
  });
  await figures.latest();
  assert.deepEqual(asked, [[3, 7]]);
});
