import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, type Rolldown } from "tsdown";
import { buildUi } from "./build-ui.ts";
import { LIBRARIES, stageLibrary } from "./pack-library.ts";
import { licenceText } from "./pack-licences.ts";
import { softwareBill } from "./pack-sbom.ts";
import { withContact } from "./security-contact.ts";
import { withWholeLinks } from "./whole-links.ts";

const HELP = `npm run pack -- [options] [FOLDER]

Makes the three tarballs that users install, each without dependencies, in FOLDER; default dist: the command with
everything it needs, the pages too; the client library; the receiver library.

  --libraries            the two libraries only
  --unpacked             the command only: leave its folder there, FOLDER/package, and make no tarball
  --security-contact URI  mailto: or https:, of anyone who publishes; goes into the package's SECURITY.md
  --help

Next to the command's tarball, and in it, is a bill of materials (CycloneDX): markethook-VERSION.cdx.json.

Example: npm run pack && npm install -g ./dist/markethook-0.1.0.tgz`;

const root = join(import.meta.dirname, "..");
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    libraries: { type: "boolean" },
    unpacked: { type: "boolean" },
    "security-contact": { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
if (options.help === true) {
  console.log(HELP);
  process.exit();
}
const folder = resolve(positionals[0] ?? join(root, "dist"));
/** Where packages are made. What stands in FOLDER is whole: a run that is stopped leaves this alone. */
const work = join(folder, ".markethook-pack");
const staging = join(work, "package");
const unpacked = join(folder, "package");
const { version, license, engines } = readJson(join(root, "packages/server/package.json"));

const README = `# Markethook

Outbound webhooks for a marketplace of downloadable resources: one command, without dependencies.

    MARKETHOOK_BASE_URL=https://market.example npx markethook serve
    npx markethook --help

The service keeps its data in ./data, or in PostgreSQL (MARKETHOOK_DATABASE_URL). Its API reference is at /docs.
Documentation: docs/README.md. What to know before an upgrade: CHANGELOG.md.
Licences of what is inside: THIRD-PARTY-LICENCES.txt. What it is made of: sbom.cdx.json. Found a hole? SECURITY.md.
`;

if (options.unpacked === true) refuseForeign(unpacked);
rmSync(work, { recursive: true, force: true });
if (options.unpacked !== true) {
  for (const library of LIBRARIES) {
    await stageLibrary(root, library, staging);
    console.log(tarball());
  }
}
if (options.libraries === true) {
  rmSync(work, { recursive: true });
  process.exit();
}
mkdirSync(staging, { recursive: true });
buildUi();
writeFileSync(
  join(staging, "package.json"),
  `${JSON.stringify(
    {
      name: "markethook",
      version,
      description: "Outbound webhooks for a marketplace of downloadable resources",
      license,
      type: "module",
      bin: { markethook: "dist/main.js" },
      files: [
        "dist",
        "docs",
        "deploy",
        "THIRD-PARTY-LICENCES.txt",
        "SECURITY.md",
        "CHANGELOG.md",
        "sbom.cdx.json",
      ],
      engines,
    },
    null,
    2,
  )}\n`,
);
const moduleIds = await bundle(join(staging, "dist"));
cpSync(join(root, "packages/ui/dist"), join(staging, "dist/ui"), { recursive: true });
writeFileSync(join(staging, "THIRD-PARTY-LICENCES.txt"), licenceText(root, moduleIds));
for (const name of ["LICENSE", "CHANGELOG.md", "docs", "deploy"]) {
  cpSync(join(root, name), join(staging, name), { recursive: true });
}
const policy = readFileSync(join(root, "SECURITY.md"), "utf8");
writeFileSync(join(staging, "SECURITY.md"), withContact(policy, options["security-contact"]));
const repository = readJson(join(root, "package.json"))["repository"] as { url: string };
for (const page of globSync("**/*.md", { cwd: staging })) {
  const file = join(staging, page);
  const isPacked = (path: string): boolean => existsSync(join(staging, path));
  const links = { page, repository: repository.url, isPacked };
  writeFileSync(file, withWholeLinks(readFileSync(file, "utf8"), links));
}
writeFileSync(join(staging, "README.md"), README);
const own = { version: String(version), license: String(license) };
const bill = `${JSON.stringify(softwareBill(root, own, moduleIds), null, 2)}\n`;
writeFileSync(join(staging, "sbom.cdx.json"), bill);
writeFileSync(join(folder, `markethook-${own.version}.cdx.json`), bill);
console.log(options.unpacked === true ? leaveUnpacked() : tarball());
rmSync(work, { recursive: true });

/** What stands there is replaced: it must be what an earlier run of this left. */
function refuseForeign(path: string): void {
  if (!existsSync(path)) return;
  const manifest = join(path, "package.json");
  if (existsSync(manifest) && readJson(manifest)["name"] === "markethook") return;
  console.error(`${path} was not made by this. Move it away, or name another folder.`);
  process.exit(2);
}

function leaveUnpacked(): string {
  if (existsSync(unpacked)) renameSync(unpacked, join(work, "before"));
  renameSync(staging, unpacked);
  return unpacked;
}

function tarball(): string {
  const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts"], {
    cwd: staging,
    encoding: "utf8",
  }).trim();
  renameSync(join(staging, packed), join(folder, packed));
  rmSync(staging, { recursive: true });
  return join(folder, packed);
}

/** Returns the files that went into it. */
async function bundle(outDir: string): Promise<string[]> {
  // Each by itself: with files in common a thread would load the query builder, PostgreSQL's client and more.
  const moduleIds = [
    ...(await bundleEntry(outDir, "main", "server/src/main.ts", [atHome()])),
    ...(await bundleEntry(outDir, "worker", "store/src/sqlite/worker.ts")),
    ...(await bundleEntry(outDir, "sender-thread", "dispatcher/src/send/threads/sender-thread.ts")),
  ];
  return [...new Set(moduleIds)];
}

async function bundleEntry(
  outDir: string,
  name: string,
  file: string,
  plugins: Rolldown.Plugin[] = [],
): Promise<string[]> {
  const bundles = await build({
    config: false,
    clean: false,
    entry: { [name]: join(root, "packages", file) },
    outDir,
    cwd: join(root, "packages/server"),
    format: "esm",
    platform: "node",
    target: "node24",
    fixedExtension: false,
    shims: true,
    dts: false,
    sourcemap: false,
    // Names stay whole, so that a stack in a report can be read.
    minify: false,
    outputOptions: { comments: false },
    deps: { alwaysBundle: /./, onlyBundle: false },
    plugins: [...plugins, asciiOnly()],
    logLevel: "warn",
    report: false,
  });
  return bundles.flatMap(({ chunks }) =>
    chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])),
  );
}

/** What a file expects next to itself is next to the bundle: the threads. */
function atHome(): Rolldown.Plugin {
  const changes: Readonly<Record<string, readonly [string, string]>> = {
    "store/src/sqlite/worker-client.ts": ['"./worker.ts"', '"./worker.js"'],
    "dispatcher/src/send/threads/thread.ts": ['"./sender-thread.ts"', '"./sender-thread.js"'],
  };
  const left = new Set(Object.keys(changes));
  return {
    name: "at-home",
    transform(code, id) {
      const file = Object.keys(changes).find((end) => id.endsWith(end));
      const [from, to] = changes[file ?? ""] ?? [];
      if (file === undefined || from === undefined || to === undefined) return null;
      if (!code.includes(from))
        throw new Error(`${file} has no ${from} any more: see tools/pack.ts.`);
      left.delete(file);
      return { code: code.replace(from, to), map: null };
    },
    buildEnd() {
      if (left.size > 0)
        throw new Error(`not bundled: ${[...left].join(", ")}: see tools/pack.ts.`);
    },
  };
}

/**
 * Every character outside ASCII as an escape. Sources stay in memory, and one such character doubles what a file takes:
 * 8 MB in all.
 */
function asciiOnly(): Rolldown.Plugin {
  return {
    name: "ascii-only",
    renderChunk(code, { fileName }) {
      if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code))
        throw new Error(`${fileName}: String.raw would keep the escape of its character.`);
      return { code: code.replaceAll(/[\u0080-\uffff]/g, escaped), map: null };
    },
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}
