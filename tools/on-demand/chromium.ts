import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onDemand } from "./install.ts";

export interface Chromium {
  executablePath: string;
  /** Where it finds the libraries and fonts that this machine lacks. */
  env: { [variable: string]: string };
}

/** Its package unpacks to the folder for temporary files; there, what a killed process left would be taken for whole. */
const UNPACK = `
  const [, loader, libraries] = process.argv;
  const { load } = await import(loader);
  const { default: chromium, inflate } = await load("@sparticuz/chromium");
  await Promise.all([chromium.executablePath(), inflate(libraries)]);
`;

/** The font that comes with it. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/** A Chromium next to its package. The libraries and the font that come with it are for machines that have none. */
export async function unpackedChromium(): Promise<Chromium> {
  const folder = await onDemand("chromium");
  const unpacked = join(folder, "unpacked");
  if (!existsSync(unpacked)) unpack(folder, unpacked);
  const executablePath = join(unpacked, "chromium");
  const fonts = existsSync("/etc/fonts/fonts.conf")
    ? {}
    : { FONTCONFIG_FILE: join(unpacked, "fonts.conf") };
  if (faultOf(executablePath, {}) === null) return { executablePath, env: fonts };
  const libraries = { LD_LIBRARY_PATH: join(unpacked, "al2023/lib") };
  const fault = faultOf(executablePath, libraries);
  if (fault !== null) throw new Error(`The Chromium for the tests does not start here: ${fault}`);
  return { executablePath, env: { ...libraries, ...fonts } };
}

/** Null: it starts. */
function faultOf(executablePath: string, env: Chromium["env"]): string | null {
  const options = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
  const { error, status, signal, stderr } = spawnSync(executablePath, ["--version"], options);
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim() || `It ended with ${status ?? signal}.`;
}

function unpack(folder: string, unpacked: string): void {
  const fresh = mkdtempSync(join(folder, "unpacking-"));
  const libraries = join(folder, "node_modules/@sparticuz/chromium/bin/al2023.tar.br");
  execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", UNPACK, join(folder, "load.mjs"), libraries],
    { env: { ...process.env, TMPDIR: fresh }, stdio: ["ignore", "ignore", "inherit"] },
  );
  writeFileSync(join(fresh, "fonts.conf"), FONTS);
  try {
    renameSync(fresh, unpacked);
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(unpacked)) throw error;
    rmSync(fresh, { recursive: true });
  }
}
