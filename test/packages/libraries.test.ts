import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { compile, PROJECTS } from "./compile.ts";
import { installLibraries, run } from "./installed.ts";
import { COMMON_JS, ESM } from "./program.ts";

/** On this Node, and without a network. test/full/libraries-everywhere.test.ts has all the others. */
const { folder, remove } = installLibraries();
after(remove);

for (const [kind, file, program] of [
  ["an ES module", "program.mjs", ESM],
  ["CommonJS", "program.cjs", COMMON_JS],
] as const) {
  test(`in an empty folder the packed libraries send and receive a purchase from ${kind}`, () => {
    writeFileSync(join(folder, file), program);
    assert.equal(run(folder, process.execPath, [file]), "all is well");
  });
}

for (const [name, project] of Object.entries(PROJECTS)) {
  test(`in an empty folder the packed libraries are typed: ${name}`, () => {
    const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    compile(folder, tsc, project);
  });
}

for (const library of ["client", "receiver"]) {
  test(`the packed ${library} has no dependencies, a licence, a README and publish settings`, () => {
    const home = join(folder, "node_modules/@markethook", library);
    const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
      [member: string]: unknown;
      engines: { node: string };
      repository: { directory: string };
    };
    for (const absent of ["dependencies", "private", "scripts"]) {
      assert.equal(manifest[absent], undefined, absent);
    }
    assert.equal(manifest["license"], "MIT");
    assert.deepEqual(manifest["publishConfig"], { access: "public" });
    assert.equal(manifest.engines.node, ">=20");
    assert.equal(manifest.repository.directory, `packages/${library}`);
    assert.match(readFileSync(join(home, "LICENSE"), "utf8"), /MIT/);
    const readme = readFileSync(join(home, "README.md"), "utf8");
    assert.match(readme, new RegExp(`npm install @markethook/${library}`));
    assert.doesNotMatch(readme, /\]\(\.\.?\//, "a link that leads nowhere");
  });
}

test("the programs of both READMEs compile as TypeScript, with the settings that stand there", () => {
  const root = join(import.meta.dirname, "../..");
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
  for (const library of ["client", "receiver"]) {
    const home = join(folder, "node_modules/@markethook", library);
    const readme = readFileSync(join(home, "README.md"), "utf8");
    const first = (language: string) =>
      new RegExp("```" + language + "\\n(.*?)```", "s").exec(readme)?.[1] ?? "";
    const project = join(folder, `readme-${library}`);
    mkdirSync(project);
    writeFileSync(join(project, "program.mts"), first("js"));
    writeFileSync(join(project, "tsconfig.json"), first("json"));
    run(project, process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit"]);
  }
});
