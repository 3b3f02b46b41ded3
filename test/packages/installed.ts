import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export interface Installed {
  /** A folder with nothing in it but what npm installed there. */
  folder: string;
  /** Of the libraries, by their name behind `@markethook/`. */
  tarballs: Readonly<Record<"client" | "receiver", string>>;
  remove(): void;
}

/** Packs both libraries and installs them into an empty folder, without a network. */
export function installLibraries(): Installed {
  const base = mkdtempSync(join(tmpdir(), "markethook-libraries-"));
  const packed = join(base, "packed");
  const folder = join(base, "project");
  mkdirSync(folder);
  execFileSync(process.execPath, [join(ROOT, "tools/pack.ts"), "--libraries", packed]);
  const find = (name: string): string => {
    const [file] = globSync(`markethook-${name}-*.tgz`, { cwd: packed });
    if (file === undefined) throw new Error(`${name} was not packed.`);
    return join(packed, file);
  };
  const tarballs = { client: find("client"), receiver: find("receiver") };
  writeFileSync(join(folder, "package.json"), "{}\n");
  execFileSync(
    "npm",
    ["install", "--offline", "--no-audit", "--no-fund", tarballs.client, tarballs.receiver],
    { cwd: folder, stdio: "pipe" },
  );
  return { folder, tarballs, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** Runs a program there and returns what it printed. Throws with all of its output where it fails. */
export function run(
  folder: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  return execFileSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
    env: { ...process.env, ...environment },
  }).trim();
}
