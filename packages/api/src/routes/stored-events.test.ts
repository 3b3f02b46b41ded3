import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { ReportedEventName } from "@markethook/protocol";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase } from "../testing/test-sender.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  for (const [i, ownerId] of ["o-1", "o-1", "o-2"].entries()) {
    await api.store.resources.put([{ id: `map-${i}`, ownerId, title: "T", subtitle: "" }]);
    for (const userId of [7, 8]) {
      await api.store.events.accept([purchase(`map-${i}`, userId)], null);
    }
  }
});

const list = async (query: string) =>
  (await api.send({ method: "GET", url: `/v1/events${query}` })).json();
const idsOf = (page: { items: { id: string }[] }): string[] => page.items.map(({ id }) => id);

test("events are listed newest first, of an owner, a resource or a user, over pages", async () => {
  const all = idsOf(await list(""));
  assert.deepEqual(
    all.map((id) => id.slice(4, 5)),
    ["6", "5", "4", "3", "2", "1"],
  );
  assert.equal((await list("?ownerId=o-1")).items.length, 4);
  assert.deepEqual(idsOf(await list("?resourceId=map-1&userId=8")), [all[2]]);
  const first = await list("?limit=4");
  const second = await list(`?limit=4&cursor=${first.nextCursor}`);
  assert.deepEqual([...idsOf(first), ...idsOf(second)], all);
  assert.equal((await list(`?ownerId=o-1&cursor=${first.nextCursor}`)).code, "cursor_invalid");
});

test("an explanation has a line per webhook, with a chat platform's address masked", async () => {
  const { webhooks } = api.store;
  const secret = "s".repeat(48);
  const url = "https://discord.com/api/webhooks/1/secret";
  const input = { description: "", secret, resourceId: "map-0", url };
  const events: ReportedEventName[] = ["product.update"];
  await webhooks.create({ ...input, id: "wh_1", format: "json", events }, null);
  await api.store.events.accept([purchase("map-0", 9)], null);
  const [last] = idsOf(await list("?resourceId=map-0"));
  const answer = await api.send({ method: "GET", url: `/v1/events/${last}/explanation` });
  assert.equal(answer.json().event.id, last);
  assert.deepEqual(answer.json().webhooks, [
    {
      webhookId: "wh_1",
      url: "https://discord.com/…",
      verdict: "not_chosen",
      sentence: "This event is not among the webhook's chosen events.",
    },
  ]);
});
