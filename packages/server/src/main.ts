#!/usr/bin/env node
import * as modules from "node:module";
import { tmpdir } from "node:os";
import { compileCacheFolder } from "./process/compile-cache-folder.ts";

const OLDEST_NODE = 24;

// The tarball can be installed under any Node; an older one would fail with an unclear error.
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(`markethook: Node.js 24.15 or later is needed; this is ${process.version}.`);
  process.exit(2);
}
// Before anything else is loaded: halves the time to start again, e.g. after a crash.
const cacheFolder = compileCacheFolder(tmpdir(), process.getuid?.() ?? 0);
if (cacheFolder !== null) modules.enableCompileCache(cacheFolder);
(await import("./process/heap-growth.ts")).limitHeapGrowth();
(await import("./process/collect-when-idle.ts")).collectWhenIdle();
await import("./command.ts");
