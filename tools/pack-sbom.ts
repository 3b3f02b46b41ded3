import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Component {
  type: "application" | "library";
  name: string;
  version: string;
  purl: string;
  licenses: object[];
  hashes?: { alg: string; content: string }[];
}

interface Bom {
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  version: 1;
  metadata: { component: Component };
  components: Component[];
}

/** Of these the pages use built files only, not what they depend on. */
const FILES_ONLY = new Set(["@fastify/swagger-ui"]);

/**
 * What the tarball is made of, as CycloneDX: the packages of the modules that were bundled, and those that the pages are
 * built from. Without a time or a random number, so that the same sources make the same text.
 */
export function softwareBill(
  root: string,
  own: { version: string; license: string },
  moduleIds: readonly string[],
): Bom {
  const folders = new Set([...moduleIds.flatMap(folderOf), ...pagePackages(root)]);
  const integrity = lockedIntegrity(root);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component("application", { name: "markethook", ...own }, undefined) },
    components: [...folders]
      .map((folder) => {
        const manifest = readJson(join(folder, "package.json"));
        return component("library", manifest, integrity.get(folder));
      })
      .sort((a, b) => (a.purl < b.purl ? -1 : a.purl > b.purl ? 1 : 0))
      .filter((one, index, all) => one.purl !== all[index - 1]?.purl),
  };
}

function folderOf(moduleId: string): string[] {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId.replace(/^\0/, ""));
  return folder === null ? [] : [folder[0]];
}

/** What the pages import, and what that depends on. */
function pagePackages(root: string): Set<string> {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const folder = resolved(name, from, root);
    // Ours are in the application itself; types and the like leave nothing in a page.
    if (folder === null || name.startsWith("@markethook/") || found.has(folder)) return;
    found.add(folder);
    if (FILES_ONLY.has(name)) return;
    const { dependencies = {} } = readJson(join(folder, "package.json"));
    for (const dependency of Object.keys(dependencies as object)) add(dependency, folder);
  };
  const pages = join(root, "packages/ui");
  for (const file of globSync("src/**/*.{ts,tsx}", { cwd: pages })) {
    if (file.endsWith(".test.ts")) continue;
    const text = readFileSync(join(pages, file), "utf8");
    for (const [, name = ""] of text.matchAll(
      /^(?:import|export)\b[^"';]*"((?:@[\w.-]+\/)?[\w-][\w.-]*)[^"]*";/gm,
    )) {
      add(name, pages);
    }
  }
  return found;
}

/** As Node looks for it: beside, and then further up. */
function resolved(name: string, from: string, root: string): string | null {
  for (let at = from; at.startsWith(root); at = join(at, "..")) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === root) break;
  }
  return null;
}

function lockedIntegrity(root: string): Map<string, string> {
  const { packages } = readJson(join(root, "package-lock.json"));
  // The lock file's form, of version 3.
  const entries = Object.entries(packages as Record<string, { integrity?: string }>);
  return new Map(
    entries.flatMap(([path, { integrity }]) =>
      integrity === undefined ? [] : [[join(root, path), integrity] as const],
    ),
  );
}

function component(
  type: Component["type"],
  { name, version, license }: Record<string, unknown>,
  integrity: string | undefined,
): Component {
  const [, alg, base64] = /^(sha\d+)-(.+)$/.exec(integrity ?? "") ?? [];
  const words = typeof license === "string" ? license : "NOASSERTION";
  return {
    type,
    name: String(name),
    version: String(version),
    purl: `pkg:npm/${String(name).replace("@", "%40")}@${String(version)}`,
    licenses: / (OR|AND|WITH) /.test(words)
      ? [{ expression: words.replace(/^\((.*)\)$/, "$1") }]
      : [{ license: { id: words } }],
    ...(alg === undefined || base64 === undefined
      ? {}
      : {
          hashes: [
            {
              alg: alg.toUpperCase().replace("SHA", "SHA-"),
              content: Buffer.from(base64, "base64").toString("hex"),
            },
          ],
        }),
  };
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}
