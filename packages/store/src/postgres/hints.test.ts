import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { StoreHint } from "../port/store.ts";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { Hints } from "./hints.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

async function connected(): Promise<number[]> {
  const rows = await execute(
    database.url,
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = 'markethook hints'`,
  );
  return rows.map((row) => Number(row["pid"]));
}

function listen() {
  const heard: StoreHint[] = [];
  let told = (): void => {};
  const hints = new Hints(database.url, (hint) => {
    heard.push(hint);
    told();
  });
  async function until(is: (hint: StoreHint) => boolean): Promise<StoreHint> {
    for (;;) {
      const found = heard.find(is);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (told = resolve));
    }
  }
  return { hints, heard, until };
}

test("of deliveries that wait behind others their keys are told, as many as one message takes", async () => {
  const pairs = Array.from({ length: 500 }, (_, index) => ({
    webhookNo: 2_000_000_000 + index,
    orderKey: Number.MAX_SAFE_INTEGER - index,
  }));
  const { hints, heard, until } = listen();
  while (heard.length === 0) {
    for (const text of ["[1]", '["a",2]', "[]", "3"]) {
      const nonsense = `{"kind":"blocked","pairs":[${text}]}`;
      await execute(database.url, `select pg_notify('markethook', '${nonsense}')`);
    }
  }
  hints.send({ kind: "blocked", pairs });
  const isWhole = (hint: StoreHint): boolean => hint.kind === "blocked" && hint.pairs.length > 0;
  assert.deepEqual(await until(isWhole), { kind: "blocked", pairs: pairs.slice(0, 200) });
  await hints.close();
});

test("what is said while there is no connection is told when there is one again", async () => {
  const sender = new Hints(database.url, () => {});
  let pid: number | undefined;
  while (pid === undefined) [pid] = await connected();
  const { hints: listener, heard, until } = listen();
  while (heard.length === 0) {
    await execute(database.url, `select pg_notify('markethook', '{"kind":"ready"}')`);
  }
  await execute(database.url, `select pg_terminate_backend(${pid})`);
  while ((await connected()).includes(pid));

  sender.send({ kind: "webhooks", nos: [7] });
  assert.deepEqual(await until(({ kind }) => kind === "webhooks"), { kind: "webhooks", nos: [7] });
  await Promise.all([sender.close(), listener.close()]);
});

test("one statement at a time is sent, however much there is to tell", async (t) => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  t.after(() => process.off("warning", onWarning));
  const { hints, heard, until } = listen();
  while (heard.length === 0) {
    await execute(database.url, `select pg_notify('markethook', '{"kind":"ready"}')`);
  }
  for (let no = 1; no <= 3; no += 1) {
    hints.send({ kind: "ready" });
    hints.send({ kind: "webhooks", nos: [no] });
    hints.send({ kind: "blocked", pairs: [{ webhookNo: no, orderKey: 1 }] });
    await until((hint) => hint.kind === "webhooks" && hint.nos[0] === no);
    await until((hint) => hint.kind === "blocked" && hint.pairs[0]?.webhookNo === no);
  }
  await hints.close();
  assert.deepEqual(warnings, []);
});
