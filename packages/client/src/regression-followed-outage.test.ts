import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ApiError, UnreachableError } from "./errors.ts";
import { against } from "./testing/against.ts";
import { answerJson, drop, problem, type Step } from "./testing/scripted-server.ts";

/** `follow` ended as soon as the service was away for longer than the retries of one call. */
const NONE = answerJson(200, { items: [], after: 0 });

function notice(no: number): Step {
  return (response, request) => {
    const after = Number(new URL(request.url, "http://x").searchParams.get("after"));
    const items = after < no ? [{ no, kind: "webhook_failing" }] : [];
    answerJson(200, { items, after: Math.max(after, no) })(response, request);
  };
}

async function follow(t: TestContext, steps: readonly Step[]) {
  const { client } = await against(t, steps, { retries: 0 });
  const outages: Error[] = [];
  const ended = new AbortController();
  const notices = client.notices.follow({
    intervalMs: 1,
    signal: ended.signal,
    onOutage: (error) => void outages.push(error),
  });
  return { notices, outages, ended };
}

test("notices are followed through an outage, which is told once, and each comes once", async (t) => {
  const html = (response: Parameters<Step>[0]): void =>
    void response.writeHead(502, { "content-type": "text/html" }).end("<p>Bad gateway</p>");
  const away = [drop, drop, problem(503, "overloaded"), html];
  const { notices, outages, ended } = await follow(t, [notice(1), NONE, ...away, notice(2)]);
  assert.equal((await notices.next()).value?.no, 1);
  assert.equal((await notices.next()).value?.no, 2);
  assert.equal(outages.length, 1);
  assert.ok(outages[0] instanceof UnreachableError);
  ended.abort(new Error("enough"));
  await assert.rejects(notices.next(), /enough/);
});

test("a service that never answered, and one that refuses, end it", async (t) => {
  const never = await follow(t, [drop, notice(1)]);
  await assert.rejects(never.notices.next(), UnreachableError);
  const refusing = await follow(t, [notice(1), NONE, problem(401, "unauthenticated")]);
  await refusing.notices.next();
  await assert.rejects(refusing.notices.next(), ApiError);
  assert.deepEqual([never.outages, refusing.outages], [[], []]);
});
