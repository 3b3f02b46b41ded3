import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const UNIT = [
  "packages/*/src/**/*.test.ts",
  "examples/marketplace/src/**/*.test.ts",
  "bench/src/**/*.test.ts",
  "tools/{*,on-demand/*}.test.ts",
  "test/*.test.ts",
];
const ALL = [...UNIT, "test/**/*.test.ts", "examples/**/*.test.ts"];
/** `npm test` tries a sample of these, `npm run test:full` their full size, or both databases. */
const SAMPLED = [
  "test/faults/{kill-postgres,kill-sqlite}.test.ts",
  "test/behaviour/{encrypted-at-rest,fairness}.test.ts",
  "test/simulation/*.test.ts",
  "test/cli/tarball.test.ts",
];
/**
 * Only `npm run test:full` runs these, so that `npm test` takes few minutes. Each promise of the specification, the API
 * and the databases, and the usual ways through the pages, are tested by other files.
 */
const FULL_ONLY = [
  "test/full/*.test.ts",
  // What once went wrong, where a test starts processes, pages or databases.
  "test/**/regression-*.test.ts",
  "packages/{dispatcher,store}/src/**/regression-*.test.ts",
  // Pages: each look, odd occasions, both databases.
  "test/browser/{accessibility,activity-chart,adding,announcements,api-reference}.test.ts",
  "test/browser/{better-address,check-up,clicks,contrast-theme,deleted-elsewhere,dialogs}.test.ts",
  "test/browser/{discord,dry-run,embedding,event-body}.test.ts",
  "test/browser/{first-touch,focus,german,given-up,hostile,included-details,keyboard}.test.ts",
  "test/browser/{live-order,log-gaps,log-keys,log-search,log-tool,many-resources,names}.test.ts",
  "test/browser/{not-sent,operator-outage,outage,sample,send-now,session,session-ends}.test.ts",
  "test/browser/{slack,slow-page,small-windows,too-often,two-tabs,upgraded-meanwhile,what-is-fetched}.test.ts",
  // Each refusal and each break of the move, what each statement reads, failover.
  "packages/store/src/move/{cut,refused}-move.test.ts",
  "packages/store/src/postgres/{compare-urls,failover,rows-read}.test.ts",
  // Smaller tests try the same.
  "test/{crash-images,fuzz,lab,packages}/*.test.ts",
  "test/faults/{lost-database-answers,rate-after-kills,thread-kills}.test.ts",
  "test/behaviour/{move-to-postgresql,order,stopped-instance}.test.ts",
  "test/discord/burst.test.ts",
  // These run the tools of others: languages, frameworks, TypeScript, npm.
  "examples/receivers/{examples,frameworks}.test.ts",
  "examples/marketplace/outbox.test.ts",
  "test/client/generated-types.test.ts",
  "tools/on-demand/install.test.ts",
];

/** The files of a name that `tools/test.ts` takes; undefined if it is no such name. */
export function namedTests(name: string): string[] | undefined {
  const exclude = [...FULL_ONLY, "**/node_modules/**"];
  if (name === "all") return globSync(ALL, { exclude });
  if (name === "unit") return globSync(UNIT, { exclude });
  if (name === "full") return globSync([...SAMPLED, ...FULL_ONLY]);
  return undefined;
}

/**
 * Test files of one package share a process, because starting one and loading the same modules again was most of the
 * time of all tests. `test-group.ts` runs a group.
 */
export interface TestGroup {
  /** Names the group's file and its lines in the output, e.g. "packages-store-2". */
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * How many files share a process, by the places of the files. What takes longest comes first, so that nothing of it is
 * left running alone at the end.
 */
const MOST_FILES: readonly (readonly [place: RegExp, files: number])[] = [
  [/^test\/(simulation|faults)\/|\/conformance\.test\.ts$/, 1],
  [/^test\/browser\//, 4],
  [/^test\/(full|crash-images|lab|fuzz)\//, 1],
  [/^(test|examples)\//, 8],
  [/^packages\/store\//, 16],
  [/./, 30],
];
/** These take as long as many others, or set the environment of their process. */
const ALONE = new Set([
  "packages/store/src/postgres/conformance.test.ts",
  "packages/store/src/sqlite/conformance.test.ts",
  "packages/dispatcher/src/wiring/promises-instances.test.ts",
]);

/** The first two folders of a file: its package, or the kind of test that it is. */
const placeOf = (file: string): string => dirname(file).split("/").slice(0, 2).join("-");

/**
 * Groups of about the same size. Files that are alone in their process come first, as they take longest. Then each place
 * has a group in turn: of those that run at once some compute, as pages do, and others wait.
 */
export function groupTests(files: readonly string[]): TestGroup[] {
  const ruleOf = (file: string): number => MOST_FILES.findIndex(([place]) => place.test(file));
  const sorted = files.toSorted((a, b) => ruleOf(a) - ruleOf(b) || (a < b ? -1 : 1));
  const places = Map.groupBy(sorted, (file) => (ALONE.has(file) ? file : placeOf(file)));
  const groups = [...places].flatMap(([place, members]) => {
    const most = MOST_FILES[ruleOf(members[0] ?? "")]?.[1] ?? 1;
    const count = Math.ceil(members.length / most);
    const size = Math.ceil(members.length / count);
    return Array.from({ length: count }, (_, index) => ({
      turn: most === 1 ? 0 : index + 1,
      name: `${place.replaceAll("/", "-").replace(/\.test\.ts$/, "")}-${index + 1}`,
      files: members.slice(index * size, (index + 1) * size),
    }));
  });
  return groups.sort((a, b) => a.turn - b.turn);
}

/** Writes a module for each group into the folder, which is emptied before. Answers their paths. */
export function writeGroups(groups: readonly TestGroup[], folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const runner = pathToFileURL(join(import.meta.dirname, "test-group.ts")).href;
  return groups.map(({ name, files }, index) => {
    const urls = files.map((file) => pathToFileURL(resolve(file)).href);
    // Node runs files by the order of their names.
    const path = join(folder, `${String(index + 1).padStart(2, "0")}-${name}.mjs`);
    writeFileSync(
      path,
      `import { runGroup } from ${JSON.stringify(runner)};\n` +
        `await runGroup(${JSON.stringify(urls)});\n`,
    );
    return path;
  });
}
