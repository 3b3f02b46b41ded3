import { migrate } from "../postgres/migrate.ts";
import { MIGRATIONS } from "../postgres/migrations/index.ts";

/** Runs a migration that waits in its middle for an advisory lock that the test holds. */
const [url = "", lock = ""] = process.argv.slice(2);
const sql = `create table half (a integer); select pg_advisory_xact_lock(${Number(lock)})`;
await migrate(url, [...MIGRATIONS, { name: "0002-long", sql }]);
