import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerJson,
  drop,
  startScriptedServer,
} from "../../packages/client/src/testing/scripted-server.ts";
import { runCommand, startCommand } from "./command-process.ts";

/** A replay that was stopped could only be begun again, which sent once more what had been sent. */
test("a replay that stopped tells how to go on, and goes on from there", async (t) => {
  const server = await startScriptedServer([
    answerJson(200, { count: 3, capped: false }),
    answerJson(200, { sent: 1, cursor: "c1" }),
    drop,
    answerJson(200, { count: 3, capped: false }),
    answerJson(200, { sent: 2, cursor: null }),
  ]);
  t.after(() => server.close());
  const line = ["replay", "wh_a", "--from", "1", "--to", "2", "--yes"];
  const env = { MARKETHOOK_API_URL: server.url, MARKETHOOK_API_KEY: "mh_a" };
  const stopped = await runCommand(line, { env });
  assert.equal(stopped.code, 3);
  assert.match(stopped.stderr, /Stopped after 1 of 3 deliveries; .*\n.* add --cursor c1\n/);
  const { code, stdout } = await runCommand([...line, "--cursor", "c1"], { env });
  assert.deepEqual([code, stdout], [0, "2 sent again.\n"]);
  assert.equal(JSON.parse(server.seen.at(-1)?.body ?? "").cursor, "c1");
});

/** It was cut off within a step: nobody knew what that step had sent, and the same cursor sent it once more. */
test("Ctrl-C ends a replay between two steps", async (t) => {
  let answer = (): void => undefined;
  const asked = Promise.withResolvers<void>();
  const server = await startScriptedServer([
    answerJson(200, { count: 3, capped: false }),
    (response, request) => {
      answer = () => answerJson(200, { sent: 1, cursor: "c1" })(response, request);
      asked.resolve();
    },
  ]);
  t.after(() => server.close());
  const replay = startCommand(["replay", "wh_a", "--from", "1", "--to", "2", "--yes"], {
    env: { MARKETHOOK_API_URL: server.url, MARKETHOOK_API_KEY: "mh_a" },
  });
  await asked.promise;
  replay.signal("SIGINT");
  await replay.printed(/Stopping after the step that is on its way\./);
  answer();
  const { code, stdout, stderr } = await replay.ended;
  assert.deepEqual([code, stdout], [130, ""]);
  assert.match(stderr, /Stopped after 1 of 3 deliveries; .*\n.* add --cursor c1\n$/);
  assert.equal(server.seen.length, 2);
});
