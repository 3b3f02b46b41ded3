/** One entry of package-lock.json, as far as it matters here. */
export interface LockedPackage {
  version?: string;
  /** Where it comes from; of a workspace's link, where its files are. */
  resolved?: string;
  link?: boolean;
  integrity?: string;
  license?: string;
  hasInstallScript?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
}

/** The `packages` of package-lock.json: folders, seen from the lock file, to what is in them. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** `node_modules/a/node_modules/@b/c` -> `@b/c`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Folders of what is installed from a registry: neither the root nor a workspace, nor a link to one. */
export function foreignFolders(packages: LockedPackages): string[] {
  return Object.keys(packages).filter(
    (folder) => folder.includes("node_modules/") && packages[folder]?.link !== true,
  );
}

/** Folders of whatever these workspaces need to run, directly or not; development dependencies are left out. */
export function runtimeFolders(
  packages: LockedPackages,
  workspaces: readonly string[],
): Set<string> {
  const seen = new Set<string>();
  const open = [...workspaces];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const { dependencies, optionalDependencies } = packages[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = find(packages, folder, name);
      if (found !== null) open.push(found);
    }
  }
  return new Set([...seen].filter((folder) => folder.includes("node_modules/")));
}

/** As Node looks: in the folder itself, then in each one above it. A workspace is found behind its link. */
function find(packages: LockedPackages, from: string, name: string): string | null {
  for (let at: string | null = from; at !== null; at = above(at)) {
    const folder = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    const entry = packages[folder];
    if (entry !== undefined) return entry.link === true ? (entry.resolved ?? null) : folder;
  }
  return null;
}

function above(folder: string): string | null {
  if (folder === "") return null;
  const end = folder.lastIndexOf("/");
  return end === -1 ? "" : folder.slice(0, end);
}
