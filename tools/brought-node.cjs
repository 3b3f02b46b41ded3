// After `npm ci`: whether it installed all that this machine needs, and the Node that it brought can be found and starts.
// npm's own Node runs this, of whatever version, so it has no type and no `import`.
"use strict";
const { spawnSync } = require("node:child_process");
const { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } = require("node:fs");
const { join } = require("node:path");

const { optionalDependencies } = require("../package.json");
const { isNewEnough } = require("./node-version.cjs");

const modules = join(__dirname, "../node_modules");
const brought = join(modules, ".bin/node");

/** npm 10 takes the link away with the packages for other systems, which have one of the same name. */
function link() {
  const packages = Object.keys(optionalDependencies);
  const ours = packages.find((name) => existsSync(join(modules, name, "bin/node")));
  if (ours === undefined || existsSync(brought)) return;
  mkdirSync(join(modules, ".bin"), { recursive: true });
  symlinkSync(join("..", ours, "bin/node"), brought);
}

/** Null: it starts. */
function fault() {
  const { error, status, signal, stderr } = spawnSync(brought, ["--version"], { encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim() || `It ended with ${status ?? signal}.`;
}

/** What is missing for this system: npm leaves out what is for a newer Node than its own, and does not say so. */
function leftOut() {
  const lock = join(__dirname, "../package-lock.json");
  if (process.env.npm_config_omit !== undefined || !existsSync(lock)) return [];
  const { glibcVersionRuntime } = process.report.getReport().header;
  const here = [
    ["os", process.platform],
    ["cpu", process.arch],
    ["libc", glibcVersionRuntime === undefined ? "musl" : "glibc"],
  ];
  return Object.entries(JSON.parse(readFileSync(lock, "utf8")).packages).flatMap(([path, one]) => {
    const fits = here.every(([key, value]) => one[key]?.includes(value) ?? key === "libc");
    if (one.optional !== true || !fits || existsSync(join(__dirname, "..", path))) return [];
    return [
      `${path.slice("node_modules/".length)} (Node ${one.engines?.node ?? "of any version"})`,
    ];
  });
}

link();
const missing = leftOut();
if (missing.length > 0) {
  console.error(`npm left out what is needed here, on Node ${process.version}:`);
  console.error(missing.join("\n"));
  console.error("Install a newer Node (https://nodejs.org/), then run `npm ci` again.");
  process.exitCode = 1;
}
const why = existsSync(brought) ? fault() : null;
if (why !== null) {
  console.error(`The Node that npm brought does not start here: ${why}`);
  if (isNewEnough()) {
    rmSync(brought);
    symlinkSync(process.execPath, brought);
    console.error(`This machine's own ${process.version} is used instead.`);
  } else {
    console.error("If libatomic.so.1 is missing, install it, then run `npm ci` again:");
    console.error(
      "`apt-get install libatomic1` on Debian and Ubuntu, `dnf install libatomic` on Fedora.",
    );
    console.error(
      `Otherwise install Node 26 yourself: https://nodejs.org/. This is ${process.version}.`,
    );
    process.exitCode = 1;
  }
}
