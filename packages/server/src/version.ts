import { createRequire } from "node:module";

/** This package's own. */
const manifest = createRequire(import.meta.url)("../package.json") as { version: string };

export const VERSION = manifest.version;
