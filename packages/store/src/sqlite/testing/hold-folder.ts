import { TEST_OPTIONS } from "../open-harness.ts";
import { openSqlite } from "../open.ts";

/** Opens the store of a folder and keeps it. */
const [folder = ""] = process.argv.slice(2);
await openSqlite({ ...TEST_OPTIONS, folder });
process.stdout.write("open\n");
setInterval(() => undefined, 1_000_000);
