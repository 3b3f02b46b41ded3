// After `npm ci`: whether the Node that it brought starts on this machine. npm's own Node runs this, of whatever version,
// so it has no import and no type.
"use strict";
const { spawnSync } = require("node:child_process");
const { existsSync, rmSync, symlinkSync } = require("node:fs");
const { join } = require("node:path");

const oldest = Number.parseInt(require("../package.json").engines.node.slice(">=".length), 10);
const brought = join(__dirname, "../node_modules/.bin/node");

/** Null: it starts. */
function fault() {
  const { error, status, signal, stderr } = spawnSync(brought, ["--version"], { encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim() || `It ended with ${status ?? signal}.`;
}

const why = existsSync(brought) ? fault() : null;
if (why !== null) {
  console.error(`The Node that npm brought does not start here: ${why}`);
  if (Number.parseInt(process.versions.node, 10) >= oldest) {
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
