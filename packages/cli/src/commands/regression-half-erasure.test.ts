import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { run } from "../testing/test-host.ts";

const NOTHING = { events: 0, deliveries: 0, cancelled: 0, open: 0, examined: 5000, cursor: null };

test("an erasure that was stopped after the last event is run to its end when it is run again", async (t) => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      asked.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(NOTHING));
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => server.close().closeAllConnections());
  const env = { MARKETHOOK_API_KEY: "k", MARKETHOOK_API_URL: `http://127.0.0.1:${port}/` };
  const { code, stdout } = await run(["erase-user", "4711"], { env });
  assert.equal(code, 0);
  assert.match(stdout, /Nothing is stored of this user/);
  assert.deepEqual(asked, [{ dryRun: true }, { dryRun: false }]);
});
