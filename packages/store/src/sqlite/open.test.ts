import assert from "node:assert/strict";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mock, test } from "node:test";
import { MarkethookError, parseEventId } from "@markethook/protocol";
import { withCode } from "../conformance/checks.ts";
import { event } from "../conformance/reports.ts";
import { startScript } from "../testing/script-process.ts";
import { inFolder } from "../testing/temporary-folder.ts";
import { Connection } from "./connection.ts";
import { checkEngine } from "./engine.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openSqlite } from "./open.ts";
import { WorkerClient } from "./worker-client.ts";

test("SQLite below 3.51.3 is refused", () => {
  for (const version of ["3.51.2", "3.50.9", "2.99.99", "3", "nonsense"]) {
    assert.throws(() => checkEngine(version), withCode("engine_too_old"), version);
  }
  for (const version of ["3.51.3", "3.51.10", "3.52.0", "4.0.0"]) checkEngine(version);
});

test(
  "commits are durable: WAL with synchronous=FULL is really on",
  inFolder((folder) => {
    const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
    assert.equal(db.get("pragma journal_mode")?.["journal_mode"], "wal");
    assert.equal(db.get("pragma synchronous")?.["synchronous"], 2);
    db.close();
  }),
);

test(
  "a second process on the same folder is refused without waiting for a lock, told who holds it, and let in when that one is killed",
  inFolder(async (folder) => {
    const holder = startScript(
      new URL("../testing/sqlite-hold-folder.ts", import.meta.url),
      folder,
    );
    await holder.line("open");
    const patience = new Set<unknown>();
    const { exec } = DatabaseSync.prototype;
    const { mock: execMock } = mock.method(
      DatabaseSync.prototype,
      "exec",
      function (this: DatabaseSync, sql: string) {
        patience.add(this.prepare("pragma busy_timeout").get()?.["timeout"]);
        exec.call(this, sql);
      },
    );
    await assert.rejects(openSqlite({ ...TEST_OPTIONS, folder }), (error) => {
      assert.ok(error instanceof MarkethookError && error.code === "data_dir_in_use");
      assert.match(error.message, new RegExp(`process ${holder.pid} on ${hostname()} `));
      return true;
    });
    execMock.restore();
    assert.deepEqual(patience, new Set([0]));
    await holder.kill();
    const store = await openSqlite({ ...TEST_OPTIONS, folder });
    await store.close();
  }),
);

test(
  "the same folder is refused within one process too, and free again after closing",
  inFolder(async (folder) => {
    const store = await openSqlite({ ...TEST_OPTIONS, folder });
    await assert.rejects(openSqlite({ ...TEST_OPTIONS, folder }), withCode("data_dir_in_use"));
    await store.close();
    await (await openSqlite({ ...TEST_OPTIONS, folder })).close();
  }),
);

test(
  "another master key than the one that encrypted the database is refused, a further one is not",
  inFolder(async (folder) => {
    await (await openSqlite({ ...TEST_OPTIONS, folder })).close();
    const other = new Uint8Array(32).fill(9);
    await assert.rejects(
      openSqlite({ ...TEST_OPTIONS, folder, masterKeys: [other] }),
      withCode("master_key_wrong"),
    );
    const masterKeys = [other, ...TEST_OPTIONS.masterKeys];
    await (await openSqlite({ ...TEST_OPTIONS, folder, masterKeys })).close();
  }),
);

test(
  "the clock goes on from the largest time stored when the wall clock was set back",
  inFolder((folder) => {
    const path = join(folder, "db");
    let [wall, monotonic] = [1_000_000, 0];
    const first = new Connection(
      path,
      () => wall,
      () => monotonic,
    );
    first.exec("create table counters (name text primary key, value integer)");
    first.exec("insert into counters values ('number', 0), ('instance', 0), ('clock', 0)");
    first.loadCounters();
    monotonic = 500;
    wall = 5;
    assert.equal(first.now(), 1_000_500, "a wall clock that jumps moves nothing");
    first.transaction(() => first.takeNumbers(3));
    first.close();
    monotonic = 0;
    const second = new Connection(
      path,
      () => wall,
      () => monotonic,
    );
    second.loadCounters();
    assert.equal(second.now(), 1_000_500);
    monotonic = 70;
    assert.equal(second.now(), 1_000_570, "it does not stand still until the wall clock is there");
    assert.deepEqual(second.takeNumbers(2), [4, 5]);
    second.close();
  }),
);

test(
  "a reader has the writer's clock exactly, however long opening takes",
  inFolder((folder) => {
    const path = join(folder, "db");
    let monotonic = 0;
    const slow = (): number => (monotonic += 7);
    const writer = new Connection(path, () => 1_000_000, slow);
    const reader = new Connection(path, () => 5, slow, { clockBase: writer.clockBase });
    assert.equal(reader.clockBase, writer.clockBase);
    assert.equal(reader.now(), writer.now() - 7);
    reader.close();
    writer.close();
  }),
);

test(
  "the thread that reads is never behind the clock of the thread that writes",
  inFolder(async (folder) => {
    const settings = { path: join(folder, "db"), baseUrl: "https://market.example" };
    let behind = 0;
    // Two clocks of their own would differ by another part of a millisecond each time.
    for (let pair = 0; pair < 10; pair += 1) {
      const writer = new WorkerClient({ ...settings, reader: null });
      await writer.ready();
      const clockBase = await writer.call("clockBase");
      const reader = new WorkerClient({ ...settings, reader: { clockBase } });
      await reader.ready();
      for (let round = 0; round < 100; round += 1) {
        const written = await writer.call("now");
        if ((await reader.call("now")) < written) behind += 1;
      }
      await reader.close();
      await writer.close();
    }
    assert.equal(behind, 0);
  }),
);

test(
  "statements of ever new lengths do not pile up",
  inFolder((folder) => {
    const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
    const first = db.statement("select 0");
    assert.equal(db.statement("select 0"), first);
    for (let i = 1; i <= 500; i += 1) db.statement(`select ${i}`);
    assert.notEqual(db.statement("select 0"), first);
    db.close();
  }),
);

test(
  "what was answered as stored is there after kill -9, round after round",
  inFolder(async (folder) => {
    const answered: string[] = [];
    for (const [round, enough] of [50, 300, 700].entries()) {
      const script = new URL("../testing/sqlite-accept-forever.ts", import.meta.url);
      const child = startScript(script, folder, String(round), String(enough));
      await child.line("enough");
      await child.kill();
      const stored = child.lines.filter((line) => line.startsWith("stored "));
      answered.push(...stored.map((line) => line.split(" ")[1] ?? ""));
      const store = await openSqlite({ ...TEST_OPTIONS, folder });
      for (const id of answered) assert.notEqual(await store.events.find(id, null), null, id);
      await store.close();
    }
    assert.equal(new Set(answered).size, answered.length, "no number was given twice");
  }),
);

test(
  "numbers of instances, deliveries and events go on where an earlier process left them",
  inFolder(async (folder) => {
    const numbers = async (): Promise<number[]> => {
      const store = await openSqlite({ ...TEST_OPTIONS, folder });
      const { instanceNo } = await store.instances.start("one", "1");
      const item = event("r", "purchase", 1, {
        resource: { title: "T", subtitle: "", ownerId: "o" },
      });
      const { results } = await store.events.accept([item], null);
      await store.close();
      const [result] = results;
      assert.equal(result?.kind, "accepted");
      const seq = parseEventId(result.eventId)?.seq ?? 0;
      return [instanceNo, seq];
    };
    const first = await numbers();
    const second = await numbers();
    const third = await numbers();
    for (const at of [0, 1]) {
      assert.ok((first[at] ?? 0) < (second[at] ?? 0), `${String(first)} and ${String(second)}`);
      assert.ok((second[at] ?? 0) < (third[at] ?? 0), `${String(second)} and ${String(third)}`);
    }
  }),
);
