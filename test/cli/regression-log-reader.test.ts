import assert from "node:assert/strict";
import { test } from "node:test";
import { sqlitePlace } from "../places.ts";
import { startCommand } from "./command-process.ts";

/** Ctrl-C on `markethook serve | jq` ends jq first; the last lines of the log then kept the service from ending. */
test("a service whose log nobody reads any more stops in order", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const service = startCommand(["serve"], {
    env: { ...place.env, MARKETHOOK_BASE_URL: "https://market.example", MARKETHOOK_PORT: "0" },
  });
  t.after(() => service.signal("SIGKILL"));
  await service.printed(/"msg":"listening"/);
  service.closeOutput();
  service.signal("SIGTERM");
  assert.equal((await service.ended).code, 0);
});
