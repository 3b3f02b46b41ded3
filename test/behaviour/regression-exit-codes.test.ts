import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { MAIN } from "../built-command.ts";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";
import { onSmallDisk, whyNoSmallDisk } from "../small-disk.ts";

/** Every refusal to start ended with 2, for which a supervisor does not start the service again. */
const BASE = { MARKETHOOK_BASE_URL: "https://market.example", MARKETHOOK_PORT: "0" };

async function startFails(
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<{ code: unknown; said: string }> {
  const [command, ...args] = [...within, process.execPath, MAIN, "serve"];
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", ...BASE, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, said };
}

test("a start that may succeed later ends with 1: the database is away, the port or the folder in use", async (t) => {
  const [place, other] = [await sqlitePlace(), await sqlitePlace()];
  const service = await startServiceProcess({ ...place.env, ...BASE });
  const taken = createServer();
  const port = String(await listenOnLoopback(taken));
  t.after(async () => {
    await service.kill();
    taken.close();
    await place.drop();
    await other.drop();
  });
  const results = await Promise.all([
    startFails({ ...other.env, MARKETHOOK_DATABASE_URL: "postgres://u@127.0.0.1:1/none" }),
    startFails({
      ...other.env,
      MARKETHOOK_DATABASE_URL: `postgres://u@/none?host=${other.folder}`,
    }),
    startFails(place.env),
    startFails({ ...other.env, MARKETHOOK_PORT: port }),
  ]);
  const away = "store_unavailable";
  const codes = [away, away, "data_dir_in_use", "address_in_use"];
  for (const [index, { code, said }] of results.entries()) {
    assert.match(said, new RegExp(`\\[${codes[index] ?? ""}\\]`));
    assert.equal(code, 1, said);
    assert.doesNotMatch(said, /Retry-After/);
  }
});

test("a start that cannot succeed before something is changed ends with 2", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const file = join(place.folder, "file");
  writeFileSync(file, "");
  const results = await Promise.all([
    startFails({ ...place.env, MARKETHOOK_PROT: "1" }),
    startFails({ MARKETHOOK_DATA_DIR: file }),
    startFails({ ...place.env, MARKETHOOK_MASTER_KEY_FILE: join(place.folder, "none") }),
    // Where the kernel lets nobody make folders, Node's recursive mkdir never returns.
    startFails({ MARKETHOOK_DATA_DIR: "/proc/none/data" }),
  ]);
  for (const { code, said } of results) assert.equal(code, 2, said);
  assert.match(results[1]?.said ?? "", /is a file.*Set MARKETHOOK_DATA_DIR.*\[data_dir_unusable\]/);
  assert.match(
    results[3]?.said ?? "",
    /Set MARKETHOOK_DATA_DIR to a folder.*\[data_dir_unusable\]/,
  );
});

test("a data folder on a read-only file system is named, with what to set", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const reason = whyNoSmallDisk(place.folder);
  if (reason !== null) return t.skip(reason);
  const within = onSmallDisk(place.folder, "1m,ro");
  for (const folder of [place.folder, join(place.folder, "new")]) {
    const { code, said } = await startFails({ MARKETHOOK_DATA_DIR: folder }, within);
    assert.equal(code, 2, said);
    assert.ok(said.includes(folder), said);
    assert.match(said, /Set MARKETHOOK_DATA_DIR to a folder.*\[data_dir_unusable\]/);
  }
});

test("a data folder whose files can be opened and not be written is told as that, without a stack, and may pass", async (t) => {
  const key = { MARKETHOOK_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
  for (const [blocks, env, says] of [
    [0, {}, /master\.key\.new cannot be written: .*\[data_dir_unusable\]/],
    [0, key, /lock\.sqlite cannot be locked: disk I\/O error.*a quota.*\[store_unavailable\]/],
    [100, {}, /SQLite: migration 0001-first was undone: .*a quota.*\[store_unavailable\]/],
  ] as const) {
    const place = await sqlitePlace();
    t.after(() => place.drop());
    // The most that this shell's process may write into one file, as a disk or a quota that is used up.
    const within = ["sh", "-c", `ulimit -f ${blocks} && exec "$@"`, "sh"];
    const { code, said } = await startFails({ ...place.env, ...env }, within);
    assert.match(said, says);
    assert.doesNotMatch(said, /\n +at |report/);
    assert.equal(code, 1, said);
  }
});

test("a host on which nobody can listen is named in a sentence, with what to set, and without a stack", async (t) => {
  const places = [await sqlitePlace(), await sqlitePlace()];
  t.after(async () => void (await Promise.all(places.map((place) => place.drop()))));
  const hosts = ["192.0.2.1", "nowhere.invalid"];
  const results = await Promise.all(
    places.map((place, index) => startFails({ ...place.env, MARKETHOOK_HOST: hosts[index] ?? "" })),
  );
  for (const [index, { code, said }] of results.entries()) {
    assert.equal(code, 1, said);
    assert.ok(said.includes(hosts[index] ?? ""), said);
    assert.match(said, /Set MARKETHOOK_HOST to an address.*\[address_unusable\]/);
    assert.doesNotMatch(said, /\n +at /);
  }
});
