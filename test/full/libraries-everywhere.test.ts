import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { onDemand } from "../../tools/on-demand/install.ts";
import { bundleSize, bundled } from "../packages/bundle.ts";
import { compile, OLD_PROJECTS, PROJECTS } from "../packages/compile.ts";
import { installLibraries, run } from "../packages/installed.ts";
import { faultsOfAttw, faultsOfPublint } from "../packages/package-linters.ts";
import { COMMON_JS, ESM } from "../packages/program.ts";

/**
 * The packed libraries on every Node that npm brings, Bun and Deno, with compilers and bundlers of others. Part of
 * `npm run test:full`: the tools are fetched from npm once, and are large.
 */
const RECEIVER_LIMIT = 6000;

describe("the packed libraries everywhere", async () => {
  const tools = await fetched();
  if (typeof tools === "string") tryEverywhere(join(tools, "node_modules"));
  else test("with all tools", { skip: tools.skip }, () => undefined);
});

async function fetched(): Promise<string | { skip: string }> {
  try {
    return await onDemand("libraries");
  } catch (error) {
    return { skip: error instanceof Error ? error.message : String(error) };
  }
}

function tryEverywhere(from: string): void {
  const { folder, tarballs, remove } = installLibraries();
  after(remove);
  writeFileSync(join(folder, "program.mjs"), ESM);
  writeFileSync(join(folder, "program.cjs"), COMMON_JS);

  const place = `${process.platform}-${process.arch}`;
  const bun = `@oven/bun-${place.replace("arm64", "aarch64")}/bin/bun`;
  const deno = `@deno/${place}${process.platform === "linux" ? "-glibc" : ""}/deno`;
  const runtimes: [name: string, command: string, args: string[]][] = [
    ...[20, 22, 24].map((major): [string, string, string[]] => [
      `Node ${major}`,
      join(from, `node-${major}-${place}/bin/node`),
      [],
    ]),
    ["Node 26", process.execPath, []],
    ["Bun", join(from, bun), []],
    ["Deno", join(from, deno), ["run", "--allow-all", "--quiet"]],
  ];
  for (const [name, command, args] of runtimes) {
    const skip = existsSync(command) ? false : `npm has none for ${place}`;
    for (const file of ["program.mjs", "program.cjs"]) {
      test(`both libraries work in ${name}: ${file}`, { skip }, () => {
        // Deno would put what it fetches elsewhere; it need not fetch anything.
        const environment = { DENO_DIR: join(folder, ".deno"), DENO_NO_UPDATE_CHECK: "1" };
        assert.equal(run(folder, command, [...args, file], environment), "all is well");
      });
    }
  }

  for (const [name, project] of Object.entries({ ...PROJECTS, ...OLD_PROJECTS })) {
    test(`TypeScript 5 knows both libraries: ${name}`, () => {
      compile(folder, join(from, "typescript/bin/tsc"), project);
    });
  }

  for (const platform of ["browser", "neutral"] as const) {
    test(`a bundle for ${platform} has no Node in it and verifies with Web Crypto`, async () => {
      const output = join(folder, `bundle-${platform}`);
      mkdirSync(output, { recursive: true });
      const { text, module } = await bundled(from, folder, platform, join(output, "receiver.mjs"));
      assert.ok(!/["']node:|\bBuffer\b|\bprocess\./.test(text), "names something of Node's");
      assert.deepEqual(await module.judged(), {
        right: true,
        changed: false,
        cause: "secret_blanks",
      });
    });
  }

  test(`the receiver takes at most ${RECEIVER_LIMIT} bytes of a browser's bundle, compressed`, (t) => {
    const size = bundleSize(from, folder, `export * from "@markethook/receiver";`);
    t.diagnostic(`${size} bytes`);
    assert.ok(size <= RECEIVER_LIMIT, `${size} bytes`);
  });

  test("the client can be bundled for a browser", (t) => {
    t.diagnostic(`${bundleSize(from, folder, `export * from "@markethook/client";`)} bytes`);
  });

  for (const library of ["client", "receiver"] as const) {
    test(`publint and attw find nothing wrong with the packed ${library}`, async () => {
      assert.deepEqual(await faultsOfPublint(tarballs[library]), []);
      assert.deepEqual(await faultsOfAttw(tarballs[library]), []);
    });
  }
}
