import { writeSync } from "node:fs";
import { join } from "node:path";
import { Connection } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrate.ts";
import { MIGRATIONS } from "../sqlite/migrations/index.ts";

/** Comes to the middle of a migration, says so and stays there. */
const [folder = ""] = process.argv.slice(2);
let armed = false;
// The migration asks for the time, and this clock never answers.
const db = new Connection(join(folder, "markethook.sqlite"), Date.now, () => {
  if (armed) {
    writeSync(1, "half-way\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  return 0;
});
migrate(db);
armed = true;
const long = "create table half (a integer); insert into half values (mh_now())";
migrate(db, [...MIGRATIONS, { name: "0002-long", sql: long }]);
