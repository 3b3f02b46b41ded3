import { moveToPostgres } from "../move/move-to-postgres.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";

/** Moves a folder, for tests that kill it. */
const [folder = "", url = "", to = ""] = process.argv.slice(2);
const { masterKeys } = TEST_OPTIONS;
const now = (): string => new Date().toISOString();
await moveToPostgres({ folder, url, to, masterKeys, now, onRows: () => undefined });
process.stdout.write("moved\n");
