/** With no file left to open, a name that could not be looked up for it counted as the receiver's fault. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const PROGRAM = `
  import { closeSync, openSync } from "node:fs";
  import { createResolver } from ${JSON.stringify(import.meta.resolve("../guard/resolver.ts"))};
  import { postTo, testSender } from ${JSON.stringify(import.meta.resolve("./testing/test-sender.ts"))};
  const resolver = createResolver({ now: () => performance.now(), servers: ["127.0.0.1:1"] });
  const sender = testSender({ after() {} }, { resolver });
  const categoryOf = async (host) =>
    (await sender.send(postTo("http://" + host + "/"), () => true)).category;
  const told = [await categoryOf("a.example.com")];
  const files = [];
  try {
    for (;;) files.push(openSync("/dev/null"));
  } catch {}
  told.push(await categoryOf("b.example.com"));
  for (const file of files) closeSync(file);
  told.push(await categoryOf("c.example.com"));
  console.log(told.join());
  sender.close();
`;

test("a name that cannot be looked up because no file is left is no fault of its receiver", () => {
  const command = [process.execPath, "--input-type=module", "-e", PROGRAM];
  const limited = ["-c", 'ulimit -n 64 && exec "$@"', "sh", ...command];
  const told = execFileSync("sh", limited, { encoding: "utf8" });
  assert.equal(told, "dns_failure,socket_limit,dns_failure\n");
});
