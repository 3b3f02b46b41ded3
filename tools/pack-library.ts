import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";
import { licenceTextOf } from "./pack-licences.ts";
import { builtManifest, type SourceManifest } from "./pack-manifest.ts";
import { withWholeLinks } from "./whole-links.ts";

/** Those that others install. In the workspace their sources are used as they are (docs/adr/0021). */
export const LIBRARIES = ["client", "receiver"] as const;

/**
 * Makes the package of a library in `folder`: built for ESM and for CommonJS, with types for both, and with everything
 * inside that it needs.
 */
export async function stageLibrary(
  root: string,
  library: (typeof LIBRARIES)[number],
  folder: string,
): Promise<void> {
  const source = join(root, "packages", library);
  const manifest = readJson(join(source, "package.json")) as SourceManifest;
  const { repository } = readJson(join(root, "package.json")) as { repository: { url: string } };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const built = builtManifest(manifest, {
    ...repository,
    directory: `packages/${library}`,
  });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(built.manifest, null, 2)}\n`);
  const moduleIds = await bundle(source, built.entries, join(folder, "dist"));
  const licences = licenceTextOf(moduleIds);
  if (licences !== null) writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), licences);
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const readme = readFileSync(join(source, "README.md"), "utf8");
  const page = `packages/${library}/README.md`;
  const links = { page, repository: repository.url, isPacked: () => false };
  writeFileSync(join(folder, "README.md"), withWholeLinks(readme, links));
}

/** Returns the files that went into it. */
async function bundle(
  source: string,
  entry: Record<string, string>,
  outDir: string,
): Promise<string[]> {
  const bundles = await build({
    config: false,
    cwd: source,
    entry,
    outDir,
    format: ["esm", "cjs"],
    platform: "neutral",
    target: "es2022",
    fixedExtension: false,
    dts: true,
    // Without the rest of the workspace: the compiler makes the types of everything it names.
    tsconfig: join(source, "../../tsconfig.libraries.json"),
    sourcemap: false,
    // Names stay whole, so that a stack in a report can be read.
    minify: false,
    // Which file `#mac` is decides who imports the package: in its package.json.
    deps: { alwaysBundle: [/^[^#]/], neverBundle: [/^node:/, /^#/], onlyBundle: false },
    inputOptions: { checks: { pluginTimings: false } },
    logLevel: "error",
    report: false,
  });
  return bundles.flatMap(({ chunks }) =>
    chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])),
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
