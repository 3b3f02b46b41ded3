import { spawn } from "node:child_process";
import { join } from "node:path";
import { SECURITY_CONTACT } from "../test/built-command.ts";
import { newest } from "./build-ui.ts";

/** What goes into the package, and what makes it. */
const SOURCES = [
  "{packages/*,examples/marketplace}/src/**",
  "{packages/*,examples/marketplace}/package.json",
  "packages/ui/dist/**",
  "{docs,deploy}/**",
  "tools/*.ts",
  "*.{json,md}",
  "LICENSE",
];

/**
 * Packs the command as users install it, unless that was done since its sources changed. Returns the path of its file.
 * The pages have to be built.
 */
export async function packCommand(folder: string): Promise<string> {
  const home = join(folder, "package");
  // Its manifest is written first: what changes while all else is packed is newer.
  if (newest([join(home, "package.json")]) < newest(SOURCES)) {
    const options = ["--security-contact", SECURITY_CONTACT, "--unpacked", folder];
    const packing = spawn(process.execPath, [join(import.meta.dirname, "pack.ts"), ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const code = await new Promise((resolve) => packing.once("exit", resolve));
    if (code !== 0) throw new Error("The command could not be packed; see above.");
  }
  return join(home, "dist/main.js");
}
