import assert from "node:assert/strict";
import { relative } from "node:path";
import { after, describe } from "node:test";
import { fileURLToPath } from "node:url";

/** A test file may take so long: on a slow machine fifty kills take over 280 seconds. A test has less, see test.ts. */
const limitMs = process.env["MARKETHOOK_TEST_FULL"] === "1" ? 600_000 : 280_000;

/** What a group leaves running may take so long to end. Then it is named, and ended: an idle process runs no tests. */
const LINGER_MS = 15_000;

/**
 * Runs test files one after the other in this process, each as a suite of its own: what a file does before and after
 * its tests belongs to its suite. The next one is loaded when this one has been: of two that load the same modules at
 * once, the second's tests and hooks would come into the suite of the first. No test runs before all are loaded.
 */
export async function runGroup(urls: readonly string[]): Promise<void> {
  const all = Promise.withResolvers<void>();
  for (const url of urls) {
    const file = relative(process.cwd(), fileURLToPath(url));
    const loaded = Promise.withResolvers<void>();
    describe(file, { timeout: limitMs }, async () => {
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
  all.resolve();
  after(() => {
    setTimeout(() => {
      const left = process.getActiveResourcesInfo().join(", ");
      console.error(`Something still runs ${LINGER_MS} ms after the last test: ${left}`);
      process.exit(1);
    }, LINGER_MS).unref();
  });
}
