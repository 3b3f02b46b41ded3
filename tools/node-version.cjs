// Which Node runs the sources. Any Node can read this file, so it has no type and no `import`.
"use strict";
const { engines } = require("../package.json");

/** `24.15`; SQLite comes with Node, and earlier ones bring one that is too old. */
exports.oldest = engines.node.slice(">=".length);

exports.isNewEnough = () => number(process.versions.node) >= number(exports.oldest);

function number(version) {
  const [major, minor] = version.split(".").map(Number);
  return major * 1000 + minor;
}
