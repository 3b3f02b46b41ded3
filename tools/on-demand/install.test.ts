import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

const MODULE = join(import.meta.dirname, "install.ts");

/** A tool with one package, whose tarball lies next to it: npm needs no network for it. */
function makeTools(t: TestContext): string {
  const tools = mkdtempSync(join(tmpdir(), "markethook-tools-"));
  t.after(() => rmSync(tools, { recursive: true, force: true }));
  const thing = join(tools, "thing-source");
  mkdirSync(thing);
  const manifest = { name: "thing", version: "1.0.0", type: "module", exports: "./thing.js" };
  writeFileSync(join(thing, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(thing, "thing.js"), "export const answer = 42;\n");
  npm(["pack", "--silent"], thing);
  const tool = join(tools, "gauge");
  mkdirSync(tool);
  writeFileSync(join(tools, ".npmrc"), "loglevel=error\nregistry=http://127.0.0.1:9/\n");
  writeFileSync(
    join(tool, "package.json"),
    JSON.stringify({
      name: "gauge",
      version: "0.1.0",
      description: "A gauge",
      dependencies: { thing: `file:${join(thing, "thing-1.0.0.tgz")}` },
    }),
  );
  npm(["install", "--package-lock-only", "--silent"], tool);
  return tools;
}

function npm(args: string[], cwd: string): void {
  const { status, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

interface Asked {
  folder: string;
  said: string;
  code: number | null;
}

/** Asks for the tool in a process of its own, which also loads the package. */
async function ask(tools: string, env: Record<string, string> = {}): Promise<Asked> {
  const place = JSON.stringify({ tools, npmrc: join(tools, ".npmrc") });
  const script = `
    const { onDemand } = await import(${JSON.stringify(MODULE)});
    const folder = await onDemand("gauge", ${place});
    const { load } = await import(folder + "/load.mjs");
    if ((await load("thing")).answer !== 42) throw new Error("another thing");
    process.stdout.write(folder);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, npm_config_fetch_retries: "0", ...env },
  });
  let folder = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => void (folder += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => void (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { folder, said, code };
}

test("a tool is installed when it is first asked for, which is said, and then only found", async (t) => {
  const tools = makeTools(t);
  const first = await ask(tools);
  assert.equal(first.code, 0, first.said);
  assert.match(
    first.said,
    /^A gauge: fetched from npm, once \.\.\.\nA gauge: installed in [\d.]+ s\./,
  );
  const second = await ask(tools);
  assert.deepEqual(second, { folder: first.folder, said: "", code: 0 });
});

test("an installation from which a file is gone, or that was never finished, is made again", async (t) => {
  const tools = makeTools(t);
  // A process that was killed before it wrote its record.
  mkdirSync(join(tools, ".installed", "gauge-0123456789ab-00000000"), { recursive: true });
  const first = await ask(tools);
  assert.equal(first.code, 0, first.said);
  rmSync(join(first.folder, "node_modules/thing/thing.js"));
  const second = await ask(tools);
  assert.equal(second.code, 0, second.said);
  assert.match(second.said, /fetched/);
  writeFileSync(join(second.folder, "node_modules/thing/thing.js"), "export");
  const third = await ask(tools);
  assert.equal(third.code, 0, third.said);
  const record = globSync("gauge-*.json", { cwd: join(tools, ".installed") })[0] ?? "";
  writeFileSync(join(tools, ".installed", record), '{"folder":');
  assert.equal((await ask(tools)).code, 0);
});

test("processes that ask at the same time all get a whole tool, and one installation is left in use", async (t) => {
  const tools = makeTools(t);
  const asked = await Promise.all([ask(tools), ask(tools), ask(tools)]);
  for (const { code, said } of asked) assert.equal(code, 0, said);
  const after = await ask(tools);
  assert.equal(after.said, "");
});

test("without a network it says what is missing and what to do, and does not try again in a run that knows", async (t) => {
  const tools = makeTools(t);
  rmSync(join(tools, "thing-source"), { recursive: true });
  const asked = await ask(tools);
  assert.equal(asked.code, 1);
  assert.match(
    asked.said,
    /A gauge: could not be fetched\. Run `npm run on-demand -- gauge` once with a connection to npm's registry; nothing else is missing\. npm said: /,
  );
  assert.deepEqual(globSync("*", { cwd: join(tools, ".installed") }), []);
  const known = await ask(tools, { MARKETHOOK_TEST_ABSENT: "chromium,gauge" });
  assert.match(known.said, /A gauge: not installed\. Run `npm run on-demand -- gauge`/);
  assert.doesNotMatch(known.said, /once \.\.\./);
});

test("an optional package that npm leaves out in silence is a failure, and nothing half is kept", async (t) => {
  const tools = makeTools(t);
  const manifest = { name: "gauge", version: "0.1.0", optionalDependencies: { thing: "1.0.0" } };
  const thing = { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==`, optional: true };
  const other = { ...thing, os: ["another system"] };
  const packages = { "": manifest, "node_modules/thing": thing, "node_modules/other": other };
  const lock = { name: "gauge", version: "0.1.0", lockfileVersion: 3, requires: true, packages };
  const about = { ...manifest, description: "A gauge" };
  writeFileSync(join(tools, "gauge/package.json"), JSON.stringify(about));
  writeFileSync(join(tools, "gauge/package-lock.json"), JSON.stringify(lock));
  const asked = await ask(tools);
  assert.equal(asked.code, 1);
  assert.match(asked.said, /could not be fetched\..* npm said: left out: node_modules\/thing\n/);
  assert.deepEqual(globSync("*", { cwd: join(tools, ".installed") }), []);
});
