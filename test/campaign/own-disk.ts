import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onSmallDisk, whyNoSmallDisk } from "../small-disk.ts";

const DISK = "1500m";

/** In a run that has a small disk of its own: where it is. */
const FOLDER = "MARKETHOOK_CAMPAIGN_DISK";

/** Null when this run has none. */
export const diskFolder = (): string | null => process.env[FOLDER] ?? null;

/** Runs this same command with a small disk. Returns the exit code, or why the machine does not allow that. */
export async function againOnOwnDisk(): Promise<number | string> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-disk-"));
  const reason = whyNoSmallDisk(folder);
  if (reason !== null) {
    rmSync(folder, { recursive: true });
    return reason;
  }
  const [command, ...args] = [...onSmallDisk(folder, DISK), process.execPath];
  const child = spawn(command, [...args, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [FOLDER]: folder },
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  rmSync(folder, { recursive: true });
  return code ?? 1;
}
