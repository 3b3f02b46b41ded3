import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the built pages are: next to the bundled command, or in the repository. Null: they were not built. */
export function findPageFolder(): string | null {
  const places = [join(import.meta.dirname, "ui"), join(import.meta.dirname, "../../ui/dist")];
  return places.find((folder) => existsSync(join(folder, "portal/index.html"))) ?? null;
}
