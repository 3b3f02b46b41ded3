import assert from "node:assert/strict";
import { test } from "node:test";
import { type Dependencies, type Manifest, violations } from "./dependency-rules.ts";
import type { LockedPackage } from "./lockfile.ts";

const GOOD: LockedPackage = { version: "1.0.0", license: "MIT", integrity: "sha512-x" };

/** A service with one dependency and one tool, changed as a test wants. */
function house(change: {
  runtime?: LockedPackage;
  tool?: LockedPackage;
  manifest?: Manifest;
  installed?: Manifest;
}): Dependencies {
  return {
    packages: {
      "": {},
      "packages/server": { dependencies: { "@markethook/store": "0.1.0" } },
      "node_modules/@markethook/store": { link: true, resolved: "packages/store" },
      "packages/store": { dependencies: { lib: "1.0.0" } },
      "node_modules/lib": { ...GOOD, ...change.runtime },
      "node_modules/tool": { ...GOOD, ...change.tool },
    },
    manifests: { "package.json": change.manifest ?? {} },
    installed: (folder) => (folder.endsWith("/lib") ? (change.installed ?? null) : null),
  };
}

test("a house in order has no violation", () => {
  assert.deepEqual(violations(house({})), []);
  assert.deepEqual(violations(house({ runtime: { license: "(GPL-3.0 OR MIT)" } })), []);
  assert.deepEqual(violations(house({ tool: { license: "MPL-2.0" } })), []);
  const renamed = { dependencies: { old: "npm:@group/tool@1.0.0" } };
  assert.deepEqual(violations(house({ manifest: renamed })), []);
});

test("each planted violation is found, and says which package and why", () => {
  const planted: [Parameters<typeof house>[0], RegExp][] = [
    [{ runtime: { license: "GPL-3.0" } }, /^lib has the licence GPL-3\.0/],
    [{ runtime: { license: "MIT AND GPL-3.0" } }, /^lib has the licence/],
    [{ runtime: { license: "MPL-2.0" } }, /^lib has the licence/],
    [{ installed: {} }, /^lib names no licence/],
    [{ installed: { license: "SSPL-1.0" } }, /^lib has the licence SSPL/],
    [{ tool: { hasInstallScript: true } }, /^tool has a script/],
    [{ installed: { license: "MIT", scripts: { postinstall: "x" } } }, /^lib has a script/],
    [{ tool: { resolved: "git+ssh://git.example/tool.git" } }, /^tool comes from git\+ssh/],
    [{ manifest: { dependencies: { lib: "^1.0.0" } } }, /^package\.json asks for lib \^1\.0\.0/],
    [{ manifest: { devDependencies: { tool: "latest" } } }, /asks for tool latest/],
    [{ manifest: { dependencies: { old: "npm:tool@^1.0.0" } } }, /asks for old npm:tool@\^1\.0\.0/],
  ];
  for (const [change, sentence] of planted) {
    const found = violations(house(change));
    assert.equal(found.length, 1, sentence.source);
    assert.match(found[0] ?? "", sentence);
  }
});

test("a package without a checksum is found", () => {
  const { packages, ...rest } = house({});
  const { integrity: _, ...bare } = GOOD;
  const found = violations({ ...rest, packages: { ...packages, "node_modules/tool": bare } });
  assert.deepEqual(found, ["tool has no checksum in the lock file."]);
});

test("more packages at run time than the ceiling are found, also behind others", () => {
  const { packages, ...rest } = house({});
  const found = violations({
    ...rest,
    packages: {
      ...packages,
      "packages/receiver": { dependencies: { lib: "1.0.0" } },
      "node_modules/lib": { ...GOOD, dependencies: { deep: "1.0.0" } },
      "node_modules/lib/node_modules/deep": GOOD,
    },
  });
  assert.equal(found.length, 1);
  assert.match(found[0] ?? "", /^packages\/receiver needs 2 packages at run time; 0 is the most/);
});
