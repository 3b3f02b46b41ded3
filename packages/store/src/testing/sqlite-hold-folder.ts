import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { openSqlite } from "../sqlite/open.ts";

/** Opens the store of a folder and keeps it. */
const [folder = ""] = process.argv.slice(2);
await openSqlite({ ...TEST_OPTIONS, folder });
process.stdout.write("open\n");
setInterval(() => undefined, 1_000_000);
