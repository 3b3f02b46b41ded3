// Before anything else is loaded: whether `npm ci` was run, and this Node is new enough. Otherwise the first import fails
// with a riddle. Any Node can read this file, so it has no type and no `import`.
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { isNewEnough, oldest } = require("./node-version.cjs");

const OLDEST_FOR_NPM_CI = 20;
const major = Number.parseInt(process.versions.node, 10);

function advice() {
  if (!existsSync(join(__dirname, "../node_modules/.package-lock.json"))) {
    return [
      "Run `npm ci` first. It installs what is needed into this folder only, Node 26 included, and fetches 140 MB.",
      ...(major < OLDEST_FOR_NPM_CI
        ? [
            `For that, Node 20.19, 22.12 or later must be there; this is ${process.version}. See https://nodejs.org/.`,
          ]
        : []),
    ];
  }
  if (isNewEnough()) return [];
  return [
    `Node ${oldest} or later is needed; this is ${process.version}.`,
    "`npm ci` brings Node 26 for Linux (x64, arm64) and macOS (arm64), if optional packages are not left out.",
    "Where npm runs no scripts, `npm run postinstall` puts it in its place.",
    "Elsewhere install Node 26 (https://nodejs.org/). Start with `npm start` or `npm run ...`, which find the right one.",
  ];
}

const lines = advice();
for (const line of lines) console.error(line);
if (lines.length > 0) process.exit(1);
