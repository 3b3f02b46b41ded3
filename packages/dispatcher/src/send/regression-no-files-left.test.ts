/** With no file left to open, what could not be looked up or dialled for it counted as the receiver's fault. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** Runs a program that has `withoutFiles`, with few files. */
function run(program: string): string {
  const whole = `
    import { closeSync, openSync } from "node:fs";
    import { createResolver } from ${JSON.stringify(import.meta.resolve("../guard/resolver.ts"))};
    import { postTo, testSender } from ${JSON.stringify(import.meta.resolve("./testing/test-sender.ts"))};
    async function withoutFiles(work) {
      const files = [];
      // Sockets of earlier work end some turns later, and each would leave room for another.
      for (let turn = 0; turn < 100; turn += 1) {
        try {
          for (;;) files.push(openSync("/dev/null"));
        } catch {}
        await new Promise(setImmediate);
      }
      const result = await work();
      for (const file of files) closeSync(file);
      return result;
    }
    const now = () => 0;
    const servers = ["127.0.0.1:1"];
    ${program}`;
  const command = [process.execPath, "--input-type=module", "-e", whole];
  const limited = ["-c", 'ulimit -n 64 && exec "$@"', "sh", ...command];
  return execFileSync("sh", limited, { encoding: "utf8" });
}

test("a name that cannot be looked up because no file is left is no fault of its receiver", () => {
  const told = run(`
    const sender = testSender({ after() {} }, { resolver: createResolver({ now, servers }) });
    const categoryOf = async (host) =>
      (await sender.send(postTo("http://" + host + "/"), () => true)).category;
    const told = [await categoryOf("a.example.com")];
    told.push(await withoutFiles(() => categoryOf("b.example.com")));
    // The answer is kept for a second.
    told.push(await categoryOf("b.example.com"), await categoryOf("c.example.com"));
    console.log(told.join());
    sender.close();`);
  assert.equal(told, "dns_failure,socket_limit,socket_limit,dns_failure\n");
});

test("an egress proxy that cannot be dialled because no file is left is no fault of a receiver", () => {
  const told = run(`
    const categoryVia = async (host) => {
      const egressProxy = { host, port: 1, authorization: null };
      const resolver = createResolver({ now, servers });
      const sender = testSender({ after() {} }, { resolver, egressProxy });
      const { category } = await sender.send(postTo("http://93.184.216.34/"), () => true);
      sender.close();
      return category;
    };
    const told = [await categoryVia("127.0.0.1"), await categoryVia("proxy.example")];
    told.push(await withoutFiles(() => categoryVia("127.0.0.1")));
    told.push(await withoutFiles(() => categoryVia("proxy.example")));
    console.log(told.join());`);
  assert.equal(told, "connection_failed,connection_failed,socket_limit,socket_limit\n");
});

test("name servers that cannot be read because no file is left are not replaced by others", () => {
  const told = run(`
    import { Resolver } from "node:dns/promises";
    const asked = new Set();
    for (const name of ["resolve4", "resolve6"])
      Resolver.prototype[name] = async function () {
        asked.add(this.getServers().join());
        throw Object.assign(new Error(name), { code: "ECONNREFUSED" });
      };
    const resolver = createResolver({ now });
    await withoutFiles(() => resolver.resolve("a.example.com").catch(() => undefined));
    await resolver.resolve("b.example.com").catch(() => undefined);
    console.log(asked.size);`);
  assert.equal(told, "1\n");
});
