import assert from "node:assert/strict";
import { test } from "node:test";
import { startGate } from "../gate.ts";
import { startCommand } from "./command-process.ts";
import { client, service, useCommands } from "./use-commands.ts";

useCommands();

/** `notices list --follow` ended with 3 when the service was restarted; begun again, it told all notices again. */
test("notices are followed through an outage until Ctrl-C", async (t) => {
  const gate = await startGate(service.address);
  t.after(() => gate.close());
  const sell = (ownerId: string) => client.resources.put("moat", { title: "Moat", ownerId });
  await sell("1001");
  await sell("1002");
  const env = { MARKETHOOK_API_URL: gate.url, MARKETHOOK_API_KEY: service.apiKey };
  const following = startCommand(["notices", "list", "--follow", "--json"], { env });
  await following.printed(/"no":1,/);
  gate.treat = () => "drop";
  await following.printed(/cannot be reached: .* It is asked again until it answers\./);
  await sell("1003");
  gate.treat = () => "pass";
  await following.printed(/"no":2,/);
  following.signal("SIGINT");
  const { code, stdout } = await following.ended;
  assert.equal(code, 130);
  assert.equal(stdout.trim().split("\n").length, 2);
});
