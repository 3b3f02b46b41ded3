import assert from "node:assert/strict";
import { type AsyncHook, createHook } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";
import { after, describe } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";

/** A test file may take so long, also where others use the processors. A test has less, see test.ts. */
const LIMIT_MS = 600_000;

/** What a group leaves running may take so long to end. Then it is named, and ended: an idle process runs no tests. */
const LINGER_MS = 15_000;

/** What the built command has as files of their own, by the ends of their sources. */
const THREADS: Readonly<Record<string, string>> = {
  "/store/src/sqlite/worker.ts": "worker.js",
  "/dispatcher/src/send/threads/sender-thread.ts": "sender-thread.js",
};

/**
 * Threads are those of the built command, where there is one. Hundreds of them are started in all tests, and one file is
 * read much sooner than fifty.
 */
function useBuiltThreads(command: string): void {
  class BuiltThread extends Worker {
    constructor(source: string | URL, options?: WorkerOptions) {
      const [, name] = Object.entries(THREADS).find(([end]) => String(source).endsWith(end)) ?? [];
      super(name === undefined ? source : pathToFileURL(join(dirname(command), name)), options);
    }
  }
  Object.assign(threads, { Worker: BuiltThread });
  syncBuiltinESMExports();
}

/**
 * The test runner follows each promise and each timer, to know which test an error belongs to that nothing catches. Where
 * promises are many, that is half of a process' time. Files need it while they are loaded: it tells the suite of a test.
 * `begin` makes the runner start; returns what ends the following. From then on an error that nothing catches still
 * fails the run, by no test's name, but with its stack.
 */
function followedFrom(begin: () => void): () => void {
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook; // Of its class, which has no export.
  const { enable } = prototype;
  const hooks: AsyncHook[] = [];
  prototype.enable = function (this: AsyncHook) {
    hooks.push(this);
    return enable.call(this);
  };
  begin();
  prototype.enable = enable;
  return () => {
    for (const hook of hooks) hook.disable();
    process.on("uncaughtExceptionMonitor", (error) => console.error(error));
    process.on("unhandledRejection", (error) => console.error(error));
  };
}

/** Names what still runs long after the last test, and ends the process. */
function endLingering(): void {
  setTimeout(() => {
    const left = process.getActiveResourcesInfo().join(", ");
    console.error(`Something still runs ${LINGER_MS} ms after the last test: ${left}`);
    process.exit(1);
  }, LINGER_MS).unref();
}

/**
 * Runs test files one after the other in this process, each as a suite of its own: what a file does before and after
 * its tests belongs to its suite. The next one is loaded when this one has been: of two that load the same modules at
 * once, the second's tests and hooks would come into the suite of the first. No test runs before all are loaded.
 */
export async function runGroup(urls: readonly string[]): Promise<void> {
  const command = process.env["MARKETHOOK_TEST_COMMAND"];
  if (command !== undefined) useBuiltThreads(command);
  const endFollowing = followedFrom(() => after(endLingering));
  const all = Promise.withResolvers<void>();
  for (const url of urls) {
    const file = relative(process.cwd(), fileURLToPath(url));
    const loaded = Promise.withResolvers<void>();
    describe(file, { timeout: LIMIT_MS }, async () => {
      const environment = { ...process.env };
      after(() => {
        const sentence = `${file} leaves the environment changed: add it to ALONE in test-groups.ts`;
        if (urls.length > 1) assert.deepEqual({ ...process.env }, environment, sentence);
      });
      try {
        await import(url);
      } finally {
        loaded.resolve();
      }
      await all.promise;
    });
    await loaded.promise;
  }
  endFollowing();
  all.resolve();
}
