import { spawn } from "node:child_process";
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { keepNewServer, startPostgres } from "@markethook/store/testing";
import { startSharedBrowser } from "../test/browser/browser.ts";
import { buildUi } from "./build-ui.ts";
import { unpackedChromium } from "./on-demand/chromium.ts";
import { absentTools, onDemand } from "./on-demand/install.ts";
import { packCommand } from "./pack-command.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { groupTests, namedTests, writeGroups } from "./test-groups.ts";

/**
 * Runs the tests: `npm test` each promise once, `npm run test:unit` those without kills and load, `npm run test:full` the
 * slow ones; `test-groups.ts` lists them. Any other arguments are file patterns, or folders whose tests all run. One
 * PostgreSQL and one Chromium serve all files. Each file makes its own database, and files of one package share a process.
 */
const [choice, ...rest] = process.argv.slice(2);
const patterns = [choice ?? "", ...rest];
const files = namedTests(choice ?? "all") ?? [...new Set(patterns.flatMap(testFiles))];

const absent: string[] = [];
const missing: string[] = [];
/** Without a network the tests that need none of it still run; those that do fail, and say what they miss. */
const got = async <T>(tool: string, get: () => Promise<T>): Promise<T | null> => {
  try {
    return await get();
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    console.error(sentence);
    absent.push(tool);
    missing.push(sentence);
    return null;
  }
};

buildUi();
const cache = join(import.meta.dirname, "../node_modules/.cache");
// All else is started meanwhile. After a failure, too: what was started is stopped below.
const packing = packCommand(join(cache, "built-command")).catch((error: unknown) => {
  console.error(error);
  return null;
});
const needsBrowser = files.some((file) => file.startsWith("test/browser/"));
const chromium = needsBrowser ? await got("chromium", unpackedChromium) : null;
const hasPostgres = (await got("postgres", async () => await onDemand("postgres"))) !== null;
// After the tools, which are kept. What runs at full size writes to the disk, as users do.
const scratch = choice === "full" ? null : scratchFolder();
if (scratch !== null) process.env["TMPDIR"] = scratch;
const browser = chromium === null ? null : await startSharedBrowser(chromium);
const newServer = hasPostgres ? await keepNewServer() : null;
const postgres = hasPostgres ? await startPostgres() : null;
const command = await packing;
const code = command === null ? 1 : await runTests(command);
await browser?.close();
await postgres?.stop();
newServer?.remove();
if (scratch !== null) rmSync(scratch, { recursive: true, force: true });
// Once more, below everything that failed for want of them.
for (const sentence of missing) console.error(sentence);
process.exit(code);

/** Returns the exit code. */
async function runTests(builtCommand: string): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      "--test",
      // On two cores: most groups wait for something half of their time.
      "--test-concurrency=4",
      // A test's. A file's, in test-group.ts, is longer: so a test that never ends is named.
      "--test-timeout=540000",
      // What fails for want of a tool may leave open what it began next to it.
      ...(absent.length > 0 ? ["--test-force-exit"] : []),
      ...writeGroups(groupTests(files), join(cache, "test-groups")),
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        // All processes load the same modules: a quarter of the time is gone.
        NODE_COMPILE_CACHE: join(cache, "compiled"),
        MARKETHOOK_TEST_COMMAND: builtCommand,
        ...(postgres === null ? {} : { MARKETHOOK_TEST_POSTGRES: postgres.url }),
        ...(browser === null ? {} : { MARKETHOOK_TEST_CHROMIUM: browser.wsEndpoint() }),
        ...absentTools(absent),
        ...(choice === "full" ? { MARKETHOOK_TEST_FULL: "1" } : {}),
      },
    },
  );
  const stop = (): void => void child.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return await new Promise((resolve) => child.once("exit", (exit) => resolve(exit ?? 1)));
}

function testFiles(pattern: string): string[] {
  const isFolder = globSync(`${pattern}/`).length > 0;
  const inside = { exclude: ["**/node_modules/**"] };
  const found = isFolder ? globSync(`${pattern}/**/*.test.ts`, inside) : globSync(pattern);
  // One of several that is misspelt must not seem to have passed.
  if (found.length === 0) throw new Error(`No test file matches ${pattern}`);
  return found;
}
