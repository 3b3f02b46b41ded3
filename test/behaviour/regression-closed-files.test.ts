import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { makeApiKey } from "@markethook/api/tokens";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { MAIN } from "../built-command.ts";
import { startDevelopmentProcess } from "../development-process.ts";
import { sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

const BASE = { MARKETHOOK_BASE_URL: "https://market.example", MARKETHOOK_PORT: "0" };

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** The SQLite commands of the page: the first block saves, the second one restores, the third one rescues. */
function documentedCommands(): string[] {
  const page = readFileSync("docs/how-to/back-up-and-restore.md", "utf8");
  return [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text ?? "");
}

/** Runs a block of the page in this folder, in place of the page's own folders. */
function run(commands: string | undefined, at: (name: string) => string, pid = 0): void {
  const text = (commands ?? "")
    .replaceAll(/(?<= )\/(backup|rescue)(?=[/\s])/g, (_, name: string) => at(name))
    .replaceAll("/safe/place/", `${at("safe")}/`)
    .replaceAll("/PID/", `/${pid}/`)
    .replaceAll(/(?<= )data(?=[/.\s])/g, at("data"));
  execFileSync("sh", ["-ec", `umask 022\n${text}`], {
    stdio: ["ignore", "ignore", "inherit"],
    // Its `node` is the one that runs the service.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
  });
}

test("a backup made as documented is its owner's alone, and restored as documented the doctor is content and the service starts", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const at = (name: string): string => join(place.folder, name);
  const env = { ...BASE, MARKETHOOK_DATA_DIR: at("data") };
  const service = await startServiceProcess(env);
  t.after(() => service.signal("SIGKILL"));
  const [save, restore] = documentedCommands();
  mkdirSync(at("backup"));
  mkdirSync(at("safe"));
  run(save, at);
  assert.equal(modeOf(at("backup/markethook.sqlite")), "600");
  assert.equal(modeOf(at("safe/master.key")), "600");
  service.signal("SIGTERM");
  assert.equal(await service.exited, 0);

  writeFileSync(at("data/markethook.sqlite-wal"), "of the database before");
  run(restore, at);
  assert.deepEqual(readdirSync(at("data")).sort(), ["markethook.sqlite", "master.key"]);
  const examined = spawnSync(process.execPath, [MAIN, "doctor", "--json"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    encoding: "utf8",
  });
  const { findings } = JSON.parse(examined.stdout) as { findings: { code: string }[] };
  const ofFiles = findings
    .map(({ code }) => code)
    .filter((code) => /_open$|key|data_dir/.test(code));
  assert.deepEqual(ofFiles, []);
  const again = await startServiceProcess(env);
  again.signal("SIGTERM");
  assert.equal(await again.exited, 0);
});

test("a backup as documented that is killed leaves the last one as it was, and is told by its exit code", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const at = (name: string): string => join(place.folder, name);
  for (const name of ["backup", "safe", "data"]) mkdirSync(at(name));
  writeFileSync(at("data/master.key"), "key");
  writeFileSync(at("backup/markethook.sqlite"), "the last one");
  const [save = ""] = documentedCommands();
  // Stands for one that is killed while it copies, which leaves a part of the file, and a log next to it.
  const killed =
    'node() { for to; do :; done; echo a part > "$to"; echo > "$to-wal"; return 137; }';
  assert.throws(() => run(`${killed}\n${save}`, at));
  assert.equal(readFileSync(at("backup/markethook.sqlite"), "utf8"), "the last one");
  new DatabaseSync(at("data/markethook.sqlite")).exec("create table whole (x)");
  run(save, at);
  assert.deepEqual(readdirSync(at("backup")), ["markethook.sqlite"]);
  const copied = new DatabaseSync(at("backup/markethook.sqlite"), { readOnly: true });
  assert.deepEqual(copied.prepare("select * from whole").all(), []);
  copied.close();
});

test("a backup is copied in one step as documented, because each change would begin it again", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const [from, to] = [join(place.folder, "from"), join(place.folder, "to")];
  const db = new DatabaseSync(from);
  db.exec("create table filler (x); insert into filler values (zeroblob(4000000))");
  const [, code = ""] = /node -e '(.*?)'/s.exec(documentedCommands()[0] ?? "") ?? [];
  let steps = 0;
  await new Promise<void>((resolve) => {
    const sqlite = {
      DatabaseSync,
      backup: (source: DatabaseSync, path: string, options: object) => {
        const done = backup(source, path, { ...options, progress: () => (steps += 1) });
        void done.finally(resolve);
        return done;
      },
    };
    const argv = ["node", from, to];
    runInNewContext(code, { require: () => sqlite, process: { argv }, console });
  });
  assert.equal(steps, 0);
  const copied = new DatabaseSync(to, { readOnly: true });
  assert.deepEqual(
    { ...copied.prepare("select length(x) as size from filler").get() },
    { size: 4000000 },
  );
  for (const one of [db, copied]) one.close();
});

test("what a service had stored when its files were deleted is got back as documented", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const at = (name: string): string => join(place.folder, name);
  const key = makeApiKey(randomBytes);
  const env = { ...BASE, MARKETHOOK_DATA_DIR: at("data"), MARKETHOOK_API_KEY: key };
  const service = await startServiceProcess(env);
  t.after(() => service.signal("SIGKILL"));
  const call = async (address: string, init: RequestInit): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return (await fetch(`${address}/v1/resources/castle`, { headers, ...init })).status;
  };
  const put = { method: "PUT", body: JSON.stringify({ title: "Castle", ownerId: "1001" }) };
  assert.equal(await call(service.address, put), 201);
  // The log is there until the end, which deletes it.
  rmSync(at("data/markethook.sqlite"));
  const told = service.logged("database fault");
  assert.equal(await call(service.address, put), 503);
  await told;
  const { advice } = service.log.find(({ msg }) => msg === "database fault") ?? {};
  assert.match(String(advice), /^Do not stop the service .*back-up-and-restore\.md/);

  const [, restore = "", rescue] = documentedCommands();
  run(rescue, at, service.pid);
  service.signal("SIGTERM");
  await service.exited;
  mkdirSync(at("safe"));
  copyFileSync(at("data/master.key"), at("safe/master.key"));
  run(restore.replaceAll("/backup/", "/rescue/"), at);
  copyFileSync(at("rescue/markethook.sqlite-wal"), at("data/markethook.sqlite-wal"));
  const again = await startServiceProcess(env);
  t.after(() => again.signal("SIGKILL"));
  assert.equal(await call(again.address, {}), 200);
});

test("without its key file a service says that the key is missing, ends with 2 and makes no other", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const service = await startServiceProcess({ ...place.env, ...BASE });
  service.signal("SIGTERM");
  assert.equal(await service.exited, 0);
  rmSync(join(place.folder, "master.key"));
  for (const command of ["serve", "rotate-key"]) {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, command], {
      env: { PATH: process.env["PATH"] ?? "", ...place.env, ...BASE },
      encoding: "utf8",
    });
    assert.match(stderr, /There is no file .*master\.key.*\[master_key_missing\]/s, command);
    assert.equal(status, 2);
    assert.equal(existsSync(join(place.folder, "master.key.new")), false);
  }
});

test("development mode makes a data folder, and files in it, for its owner alone", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const folder = join(place.folder, "new");
  const run = await startDevelopmentProcess({ MARKETHOOK_DATA_DIR: folder });
  t.after(() => run.stop());
  assert.equal(modeOf(folder), "700");
  const open = readdirSync(folder).filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
  );
  assert.deepEqual(open, []);
  assert.equal(await run.stop(), 0);
});
