import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

test("a service that can open no more files and connections says so, with what to do, and when that is over", async (t) => {
  const place = await sqlitePlace();
  const service = await startServiceProcess(
    { ...place.env, MARKETHOOK_BASE_URL: "https://market.example" },
    ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"],
  );
  t.after(async () => {
    await service.kill();
    await place.drop();
  });
  const said = service.logged("fault");
  const { port, hostname } = new URL(service.address);
  const clients = Array.from({ length: 100 }, () => connect(Number(port), hostname));
  for (const client of clients) client.on("error", () => undefined);
  // The kernel takes all of them, and the process closes those for which it has no file.
  await Promise.all(clients.map((client) => once(client, "connect")));
  await said;
  const over = service.logged("files and connections can be opened again");
  for (const client of clients) client.destroy();
  await over;
  const told = service.log.find(({ where }) => where === "open a file");
  assert.equal(told?.["error"], "Error: EMFILE: too many open files, open '/dev/null'");
  assert.match(String(told?.["advice"]), /LimitNOFILE/);
});
