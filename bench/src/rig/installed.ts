import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACK = new URL("../../../tools/pack.ts", import.meta.url).pathname;
let command: string | null = null;

/**
 * The command as users install it, bundled: running the sources as they are takes 60 MiB more, for what strips their
 * types. Made once per run.
 */
export function installedCommand(): string {
  if (command !== null) return command;
  const folder = mkdtempSync(join(tmpdir(), "markethook-packed-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [PACK, "--unpacked", folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  command = join(folder, "package/dist/main.js");
  return command;
}
