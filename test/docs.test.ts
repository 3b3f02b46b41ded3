import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatFormats, placeholdersOf } from "@markethook/chat";
import { EVENT_NAMES, REPORTED_EVENT_NAMES, WEBHOOK_FIELDS } from "@markethook/protocol";
import { configurationPage } from "../tools/docs/configuration-page.ts";
import { deadLinks, linksOf } from "./dead-links.ts";

const root = join(import.meta.dirname, "..");
const pages = globSync("**/*.md", {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|data|coverage)$/.test(path),
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

test("what is generated in the documentation is fresh", () => {
  const check = spawnSync(process.execPath, [join(root, "tools/docs.ts"), "--check"], {
    encoding: "utf8",
  });
  assert.equal(check.status, 0, check.stderr);
});

test("every relative link of a page leads to a file, and to a heading where it names one", () => {
  assert.deepEqual(deadLinks(root, pages), []);
});

test("every page lies in the folder of its kind, and the map leads to it", () => {
  const kinds = /^docs\/(?:tutorial|how-to|reference|explanation|adr)\/[^/]+\.md$/;
  const ours = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  assert.deepEqual(
    ours.filter((page) => !kinds.test(page)),
    [],
  );
  const mapped = new Set(
    linksOf(read("docs/README.md")).map((link) => `docs/${link.split("#")[0] ?? ""}`),
  );
  // Decisions are listed by their folder.
  assert.deepEqual(
    ours.filter((page) => !page.startsWith("docs/adr/") && !mapped.has(page)),
    [],
    "docs/README.md lacks a line for these pages: add it",
  );
});

test("every setting that is written about exists", () => {
  const known = new Set(configurationPage().match(/MARKETHOOK_[A-Z_]+/g));
  // Receivers have settings of their own.
  const others = globSync(["Dockerfile", "deploy/*", "examples/marketplace/*.*"], { cwd: root });
  const unknown: string[] = [];
  for (const page of [...pages, ...others]) {
    for (const name of read(page).match(/MARKETHOOK_[A-Z_]+/g) ?? []) {
      // Those are each test's own.
      if (!known.has(name) && !name.startsWith("MARKETHOOK_TEST_")) {
        unknown.push(`${page}: ${name}`);
      }
    }
  }
  assert.deepEqual(unknown, []);
});

test("the table of metrics has those that there are, and no others", () => {
  const source = read("packages/server/src/metrics/metrics.ts");
  const made = [
    ...source.matchAll(
      /\b(?:counter|histogram|gauge|storedGauge|labelled)\(\s*(?:(?:Counter|Gauge),\s*)?"([a-z_]+)"/g,
    ),
  ].map(([, name]) => `markethook_${name}`);
  const written = [
    ...read("docs/reference/health-and-metrics.md").matchAll(/^\| `(markethook_[a-z_]+)`/gm),
  ].map(([, name]) => String(name));
  assert.ok(made.length > 10, "the pattern still finds metrics in metrics.ts");
  assert.deepEqual(
    written.sort(),
    made.sort(),
    "docs/reference/health-and-metrics.md has another list than metrics.ts: add or remove rows",
  );
});

test("the table of outcomes has those that an attempt can have, and no others", () => {
  const source = read("packages/dispatcher/src/deliver/outcome-sentences.ts");
  const sentences = /const SENTENCES[^]*?\n\};/.exec(source)?.[0] ?? "";
  const known = [...sentences.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => String(name));
  const page = read("docs/reference/health-and-metrics.md");
  const table = /^## Outcomes\n[^]*?^## /m.exec(page)?.[0] ?? "";
  const written = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/\w+/g) ?? [],
  );
  assert.ok(known.length > 10, "the pattern still finds outcomes in outcome-sentences.ts");
  assert.deepEqual(written.sort(), known.sort());
});

test("every chat platform has its page", () => {
  const missing = chatFormats
    .map(({ name }) => `docs/reference/${name}.md`)
    .filter((page) => !pages.includes(page));
  assert.deepEqual(missing, [], "these pages say what is posted: write them");
});

test("the page of placeholders has every one in its table, and no others", () => {
  const page = read("docs/reference/placeholders.md");
  const documented = [...page.matchAll(/^\| `\{(\w+)\}`/gm)].map(([, name]) => String(name));
  const known = EVENT_NAMES.flatMap((event) => placeholdersOf(event).map(({ name }) => name));
  assert.deepEqual(documented.sort(), [...new Set(known)].sort());
});

test("every event has its row in the pages that list the events", () => {
  const lists: readonly (readonly [page: string, events: readonly string[]])[] = [
    ["docs/reference/requests.md", EVENT_NAMES],
    ...chatFormats.map(({ name }) => [`docs/reference/${name}.md`, EVENT_NAMES] as const),
    ["docs/how-to/report-events.md", REPORTED_EVENT_NAMES],
    ["docs/reference/api.md", REPORTED_EVENT_NAMES],
  ];
  for (const [page, events] of lists) {
    const rows = read(page).match(/^\| `.*$/gm) ?? [];
    assert.deepEqual(
      events.filter((name) => !rows.some((row) => row.includes(`\`${name}\``))),
      [],
      `${page} lacks these events in its table: add a row for each`,
    );
  }
});

test("every field of webhooks has its option and its member of the import file", () => {
  const change =
    /^\| `webhooks change .*$/m.exec(read("docs/reference/command-line.md"))?.[0] ?? "";
  const members = /^### webhook\n[^]*?^##/m.exec(read("docs/reference/import-file.md"))?.[0] ?? "";
  for (const name of WEBHOOK_FIELDS) {
    const option =
      name === "events" ? "event" : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assert.ok(
      change.includes(`\`--${option}\``),
      `command-line.md lacks --${option} in the row of webhooks change: add it`,
    );
    assert.match(
      members,
      new RegExp(`^\\| \`${name}\` `, "m"),
      `import-file.md lacks a row for ${name} of webhooks: add it`,
    );
  }
});

test("the example for systemd starts instances at the ports to which the example for nginx passes requests on", () => {
  const started = /enable --now (.*)/.exec(read("deploy/markethook@.service"))?.[1] ?? "";
  const passedOn = [...read("deploy/nginx.conf").matchAll(/server 127\.0\.0\.1:(\d+)/g)];
  assert.deepEqual(
    started.match(/\d+/g),
    passedOn.map(([, port]) => String(port)),
  );
});

test("every npm script that is written about exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const unknown: string[] = [];
  for (const page of pages) {
    for (const [, name = ""] of read(page).matchAll(/\bnpm run ([a-z][a-z:-]*)/g)) {
      if (!(name in scripts)) unknown.push(`${page}: ${name}`);
    }
  }
  assert.deepEqual(unknown, []);
});
