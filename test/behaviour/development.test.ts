import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { sqlitePlace } from "../places.ts";

test("the line that npm start prints reports a purchase that arrives signed at the sample receiver, and data survive a restart", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const first = await session(place.env);
  const reported = JSON.parse(execFileSync("sh", ["-c", first.curl], { encoding: "utf8" })) as {
    eventId: string;
  };
  await first.printed(
    new RegExp(
      `receiver: verified product.user.purchase of “Sample Plugin” by user 42 · ${reported.eventId}`,
    ),
  );
  assert.equal(await first.stop(), 0);

  const second = await session(place.env);
  assert.equal(second.key, first.key);
  const response = await fetch(`${second.address}/v1/deliveries`, {
    headers: { authorization: `Bearer ${second.key}` },
  });
  const { items } = (await response.json()) as { items: { eventId: string; state: string }[] };
  assert.deepEqual(
    items.map(({ eventId, state }) => [eventId, state]),
    [[reported.eventId, "delivered"]],
  );
  assert.equal(await second.stop(), 0);
});

/** One run of the start script's command. */
async function session(env: Record<string, string>) {
  const child = spawn(process.execPath, ["packages/server/src/main.ts", "dev"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      MARKETHOOK_PORT: "0",
      MARKETHOOK_SAMPLE_PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines: string[] = [];
  let wake: () => void = () => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const line = lines.find((one) => pattern.test(one));
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const curl = (await printed(/^ {2}curl -s /)).trim();
  return {
    curl,
    key: /Bearer (\S+)'/.exec(curl)?.[1] ?? "",
    address: /(http:\/\/[^/]+)\/v1/.exec(curl)?.[1] ?? "",
    printed,
    async stop() {
      child.kill("SIGTERM");
      return await exited;
    },
  };
}
