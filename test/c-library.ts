import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";

/**
 * Compiles a library for `LD_PRELOAD` into the folder. Returns its path, or why this machine cannot.
 *
 * @param use what it is for, as in "recording what is written"
 */
export function compileLibrary(
  source: string,
  folder: string,
  use: string,
): { library: string } | { reason: string } {
  if (process.platform !== "linux") return { reason: `${use} needs Linux` };
  const library = join(folder, `${basename(source, ".c")}.so`);
  const args = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-o", library, source, "-ldl"];
  const compiled = spawnSync("cc", args, { encoding: "utf8" });
  if (compiled.error !== undefined) return { reason: `${use} needs cc` };
  if (compiled.status !== 0) throw new Error(`cc: ${compiled.stderr}`);
  return { library };
}
