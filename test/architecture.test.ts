import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

/**
 * The house's rules, checked from one table. Which package may import which of ours: design and reasons in
 * docs/explanation/architecture.md.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  chat: ["protocol"],
  receiver: ["protocol"],
  client: ["protocol"],
  ui: ["protocol", "chat", "client"],
  cli: ["protocol", "receiver", "client"],
  marketplace: ["client"],
  store: ["protocol"],
  dispatcher: ["protocol", "chat", "store"],
  api: ["protocol", "chat", "store"],
  server: [
    "protocol",
    "chat",
    "receiver",
    "client",
    "cli",
    "store",
    "dispatcher",
    "api",
    "marketplace",
  ],
};

/** The one file that knows the sample marketplace. */
const DEVELOPMENT_MODE = "packages/server/src/dev/dev.ts";

/** Where something may stand, as the beginning of a path; everywhere else it is refused. Tests are exempt. */
const ONLY_IN: readonly { what: string; pattern: RegExp; places: readonly string[] }[] = [
  {
    what: "SQL text",
    pattern:
      /["'`]\s*(select|insert into|update \w+ set|delete from|create table|with recursive|pragma)\b/i,
    places: ["packages/store/src/sqlite/", "packages/store/src/postgres/"],
  },
  {
    what: "the sql template of Kysely",
    pattern: /import \{[^}]*\bsql\b[^}]*\} from "kysely"/,
    places: ["packages/store/src/sqlite/", "packages/store/src/postgres/"],
  },
  {
    what: "outbound sockets",
    pattern: /^import \{(?! (?:BlockList, )?isIP \})[^}]*\} from "node:(net|tls)"|\bfetch\(/m,
    places: [
      "packages/dispatcher/src/send/",
      "packages/dispatcher/src/guard/",
      "packages/client/src/",
      "packages/cli/src/",
      "packages/server/src/",
      "packages/ui/src/session/",
    ],
  },
  {
    what: "the environment",
    pattern: /\bprocess\.env\b/,
    // The samples are text, code for receivers.
    places: ["packages/server/src/command.ts", "packages/ui/src/verify/samples/"],
  },
  {
    what: "the wall clock",
    pattern: /\bDate\.now\b|new Date\(\)/,
    places: [
      "packages/cli/src/",
      "packages/server/src/",
      "packages/store/src/sqlite/worker.ts",
      "packages/store/src/sqlite/folder-lock.ts",
      // A thread's entry file gives the thread its clocks, as the server does for the main one.
      "packages/dispatcher/src/send/threads/sender-thread.ts",
      "packages/receiver/src/",
      "packages/client/src/",
      "packages/ui/src/",
    ],
  },
  {
    what: "randomness",
    pattern: /\bMath\.random\b/,
    places: ["packages/cli/src/", "packages/server/src/", "packages/client/src/"],
  },
  {
    what: "the sample marketplace",
    pattern: /from "@markethook\/marketplace"/,
    places: [DEVELOPMENT_MODE],
  },
  {
    what: "an import of node:http, other than types (reason: api/src/request/problem.ts)",
    pattern: /^import (?!type )[^;]* from "node:http"/m,
    places: ["packages/cli/src/", "packages/server/src/dev/", "packages/ui/src/verify/samples/"],
  },
  { what: "node:sqlite", pattern: /from "node:sqlite"/, places: ["packages/store/src/sqlite/"] },
  { what: "pg", pattern: /from "pg"/, places: ["packages/store/src/postgres/"] },
];

const LONGEST = 400;
const SMALL = 25;

interface Source {
  path: string;
  package: string;
  folder: string;
  text: string;
  imports: string[];
}

const sources: Source[] = globSync("{packages/*,examples/marketplace}/src/**/*.{ts,tsx}").map(
  (path) => {
    const text = readFileSync(path, "utf8");
    return {
      path,
      package: path.split("/")[1] ?? "",
      folder: path.split("/").slice(0, 2).join("/"),
      text,
      imports: [
        ...text.matchAll(
          /^(?:import|export)\b(?:[^"'`;=()]*\bfrom)? "([^"]+)";|\bimport\("([^"]+)"\)/gm,
        ),
      ].map((match) => match[1] ?? match[2] ?? ""),
    };
  },
);
const production = sources.filter(({ path }) => !isTest(path));

function isTest(path: string): boolean {
  return (
    path.endsWith(".test.ts") ||
    path.includes("/testing/") ||
    path.includes("/conformance/") ||
    path.endsWith("/open-harness.ts")
  );
}

test("packages import each other only along the arrows", () => {
  const wrong = production.flatMap(({ path, package: own, imports }) =>
    imports
      .filter((name) => name.startsWith("@markethook/"))
      .map((name) => name.split("/")[1] ?? "")
      .filter((other) => !(ARROWS[own] ?? []).includes(other))
      .map((other) => `${path} imports ${other}`),
  );
  assert.deepEqual(wrong, []);
});

test("every package stands in the table of arrows", () => {
  assert.deepEqual(
    [...new Set(sources.map((source) => source.package))].sort(),
    Object.keys(ARROWS).sort(),
  );
});

test("every import of a package is declared in that package's manifest", () => {
  const builtin = new Set(builtinModules);
  const missing = production.flatMap(({ path, package: own, folder, imports }) => {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
      imports?: Record<string, unknown>;
    };
    // What the pages import is in their build, and the sample marketplace in the published command: nobody who runs
    // them needs it installed.
    const declared =
      own === "ui" || path === DEVELOPMENT_MODE
        ? { ...manifest.dependencies, ...manifest.devDependencies }
        : manifest.dependencies;
    return (
      imports
        .filter((name) => !name.startsWith(".") && !name.startsWith("node:") && !builtin.has(name))
        // Its own module, by another name for each runtime.
        .filter((name) => manifest.imports?.[name] === undefined)
        .map((name) =>
          name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/"),
        )
        .filter((name) => declared?.[name] === undefined)
        .map((name) => `${path} imports ${name}`)
    );
  });
  assert.deepEqual(missing, []);
});

test("nothing reaches into another package past its exports", () => {
  const wrong = sources.flatMap(({ path, folder, imports }) =>
    imports
      .filter((name) => name.startsWith("."))
      .map((name) => normalize(join(dirname(path), name)))
      .filter((target) => !target.startsWith(`${folder}/`))
      // What helps tests may ask for a tool that comes when it is asked for.
      .filter((target) => !(isTest(path) && target === "tools/on-demand/install.ts"))
      .map((target) => `${path} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test("production code does not reach test helpers", () => {
  const wrong = production.flatMap(({ path, imports }) =>
    imports
      .filter((name) => /\/(testing|conformance)(\/|$)/.test(name))
      .filter((name) => !(path === "packages/receiver/src/index.ts" || name.startsWith("@")))
      .map((name) => `${path} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
});

for (const { what, pattern, places } of ONLY_IN) {
  test(`${what} stands only where it belongs`, () => {
    const wrong = production
      .filter(
        ({ path, text }) =>
          pattern.test(withoutComments(text)) && !places.some((place) => path.startsWith(place)),
      )
      .map(({ path }) => path);
    assert.deepEqual(wrong, []);
  });
}

test("no circle of imports, types included", () => {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports
        .filter((name) => name.startsWith("."))
        .map((name) => normalize(join(dirname(path), name))),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      circles.push(
        [...trail.slice(trail.indexOf(path)), path]
          .map((one) => relative("packages", one))
          .join(" -> "),
      );
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  assert.deepEqual(circles, []);
});

test("the threads load only the libraries that they need", () => {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const libraries = (entry: string): string[] => {
    const loaded = new Set([entry]);
    const found = new Set<string>();
    for (const path of loaded) {
      for (const name of loadedBy(texts.get(path) ?? "")) {
        if (name.startsWith(".")) loaded.add(normalize(join(dirname(path), name)));
        else if (!name.startsWith("node:")) found.add(name);
      }
    }
    return [...found].sort();
  };
  // Each store has two threads; a query builder would take 100 ms of each start of one.
  const worker = libraries("packages/store/src/sqlite/worker.ts");
  assert.deepEqual(worker, ["@markethook/protocol"]);
  const sender = libraries("packages/dispatcher/src/send/threads/sender-thread.ts");
  assert.deepEqual(sender, ["@markethook/protocol", "ipaddr.js", "lru-cache"]);
});

/** What a file imports or exports again, types left out. */
function loadedBy(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b(?! type\b)([^"'`;=()]*?)from "([^"]+)";/gm)]
    .filter(([, names]) => !/^\s*\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names ?? ""))
    .map(([, , from]) => from ?? "");
}

test("only a chat platform's two folders and the two lists of platforms name it", () => {
  const platforms = readdirSync("packages/chat/src", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  assert.ok(platforms.includes("discord"));
  const lists = new Set(["chat/src/chat-formats.ts", "ui/src/chat/platforms.ts"]);
  const naming = globSync("packages/*/src/**/*.{ts,tsx}")
    .map((path) => relative("packages", path))
    .filter((path) => !/\/(generated|testing|conformance)\/|\.test\.ts$/.test(path))
    .filter((path) => !lists.has(path))
    // A platform's folder may name another one: Discord's addresses may end in "/slack".
    .filter((path) => !/^(chat\/src|ui\/src\/chat)\/[^/]+\//.test(path))
    .filter((path) => {
      const text = readFileSync(join("packages", path), "utf8").toLowerCase();
      return platforms.some((name) => text.includes(name));
    });
  assert.deepEqual(naming, []);
});

test(`no file has more than ${LONGEST} lines`, () => {
  const files = globSync([
    "packages/*/src/**/*.{ts,tsx}",
    "test/**/*.ts",
    "tools/**/*.ts",
    "examples/**/*.ts",
  ]);
  const long = files
    .filter((path) => !/\/(generated|node_modules)\//.test(path))
    .filter((path) => readFileSync(path, "utf8").split("\n").length > LONGEST);
  assert.deepEqual(long, []);
});

test("few files are small: what one file alone uses stands in it", () => {
  const code = sources.filter(
    ({ path }) => !/\/(generated|testing|conformance)\/|\.test\./.test(path),
  );
  const small = code.filter(({ text }) => text.split("\n").length - 1 <= SMALL);
  const names = small.map(({ path }) => path).join("\n");
  assert.ok(small.length <= code.length / 10, `${small.length} of ${code.length} files:\n${names}`);
});

test("management begins its transactions in the one way that repeats what a deadlock has undone", () => {
  for (const path of globSync("packages/store/src/management/**/*.ts"))
    assert.doesNotMatch(readFileSync(path, "utf8"), /\.transaction\(\)/, path);
});

test("both databases have files of the same names", () => {
  const names = (dialect: string): string[] =>
    globSync(`packages/store/src/${dialect}/**/*.ts`)
      .map((path) => relative(`packages/store/src/${dialect}`, path))
      .filter((path) => !path.endsWith(".test.ts"));
  /** What only a single-process engine needs, and what only a server needs. */
  const own = {
    sqlite:
      "dialect engine folder-lock key-filter moved-mark new-keys operations read-rows rows-between-threads writer-lock worker-client worker",
    postgres:
      "binary-array choose-server column-list compare-urls direct-client hints planner-ballast prepared-client repeat-after-deadlock rights rows-read-past session-settings take-client tell-waits",
  };
  const shared = (dialect: keyof typeof own): string[] =>
    names(dialect)
      .filter((name) => !own[dialect].split(" ").includes(name.replace(/\.ts$/, "")))
      .sort();
  assert.deepEqual(shared("sqlite"), shared("postgres"));
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/**
 * Folders of a delivery's stages, and of the parts of the API, the commands and the server; next to them what puts them
 * together, or several of them share.
 */
const TOPS: Readonly<Record<string, readonly string[]>> = {
  dispatcher: ["index.ts"],
  api: ["app-deps.ts", "create-app.ts", "index.ts", "route-context.ts"],
  cli: [
    "connect.test.ts",
    "connect.ts",
    "index.ts",
    "recording.ts",
    "server-commands.test.ts",
    "verify-each-signature.ts",
  ],
  server: [
    "command.ts",
    "database.ts",
    "index.ts",
    "main.ts",
    "notice-posting.ts",
    "observing.ts",
    "sending.ts",
    "service.ts",
    "version.ts",
  ],
};

test("at the top of the dispatcher, the API, the commands and the server stands only what puts them together", () => {
  for (const [name, files] of Object.entries(TOPS)) {
    const entries = readdirSync(`packages/${name}/src`, { withFileTypes: true });
    const atTop = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    assert.deepEqual(atTop.sort(), files);
    const folders = entries.length - atTop.length;
    assert.ok(folders <= 12, `${name} has ${folders} folders`);
  }
});
