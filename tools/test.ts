import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { startPostgres } from "@markethook/store/testing";
import { buildUi } from "./build-ui.ts";

/**
 * Runs the tests: `npm test` all, `npm run test:unit` those without kills and load, `npm run test:full` the campaigns
 * at their full size, and any other arguments are file patterns. One PostgreSQL serves all files; each file makes its
 * own database.
 */
if (Number(process.versions.node.split(".")[0]) < 24) {
  throw new Error(
    `Run tests through npm: this is Node ${process.version}, not the one that npm ci installed.`,
  );
}

const UNIT = [
  "packages/*/src/**/*.test.ts",
  "bench/src/**/*.test.ts",
  "tools/*.test.ts",
  "test/*.test.ts",
];
const ALL = [...UNIT, "test/**/*.test.ts", "examples/**/*.test.ts"];
const FULL = ["test/faults/*.test.ts", "test/discord/burst.test.ts"];
const NAMED: Readonly<Record<string, readonly string[]>> = { all: ALL, unit: UNIT, full: FULL };
const [choice, ...rest] = process.argv.slice(2);
const patterns = NAMED[choice ?? "all"] ?? [choice ?? "", ...rest];
// The longest first, so that none of them is left running alone at the end.
const long = (file: string): number => (file.startsWith("test/faults/") ? 0 : 1);
// On a slow machine fifty kills take over 280 seconds.
const limitMs = choice === "full" ? 600_000 : 280_000;
const files = [...new Set(patterns.flatMap((pattern) => globSync(pattern)))].sort(
  (a, b) => long(a) - long(b) || (a < b ? -1 : 1),
);
if (files.length === 0) throw new Error(`No test file matches ${patterns.join(" ")}`);

buildUi();
// Once, because all files that need it would unpack it to the same place.
const needsBrowser = files.some((file) => file.startsWith("test/browser/"));
const browser = needsBrowser ? { MARKETHOOK_TEST_CHROMIUM: await chromium.executablePath() } : {};
const postgres = await startPostgres();
const child = spawn(
  process.execPath,
  ["--test", "--test-concurrency=3", `--test-timeout=${limitMs}`, ...files],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      // Two hundred processes load the same modules: a quarter of the time is gone.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/compiled"),
      MARKETHOOK_TEST_POSTGRES: postgres.url,
      ...browser,
      ...(choice === "full" ? { MARKETHOOK_TEST_FULL: "1" } : {}),
    },
  },
);
const stop = (): void => void child.kill("SIGTERM");
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
const code = await new Promise<number>((resolve) =>
  child.once("exit", (exit) => resolve(exit ?? 1)),
);
await postgres.stop();
process.exit(code);
