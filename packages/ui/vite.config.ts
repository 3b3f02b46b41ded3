import { join, parse, resolve } from "node:path";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;
const dist = resolve(here, "dist");

/** Below this, compressing costs more than it saves. */
const SMALLEST_BYTES = 1024;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Puts compressed copies next to the built files, so that the service need not compress while it serves. */
function compress(folder: string): Plugin {
  return {
    name: "compress",
    writeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const file = join(folder, name);
        if (!/\.(js|css|html|svg)$/.test(name) || statSync(file).size < SMALLEST_BYTES) continue;
        const bytes = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, BROTLI));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * Without groups, the modules that pages share are built as eighty files, most of them under a kilobyte. Small modules
 * that the same pages use are joined: those of a page's first load, and those that are loaded later.
 */
const GROUPS = [
  {
    name: "first",
    tags: ["$initial" as const],
    entriesAware: true,
    entriesAwareMergeThreshold: 20_000,
  },
  { name: "later", entriesAware: true, entriesAwareMergeThreshold: 100_000 },
];

/** The name of a joined file lists all pages that use it, after the group's name. */
const shortName = (name = ""): string => `assets/${parse(name).name.split("~", 1)[0]}-[hash]`;

/** The owners' page, the operator's and the API reference, which share their assets. Addresses are relative, so that they work under any path prefix. */
export default defineConfig({
  root: here,
  base: "./",
  plugins: [react(), compress(dist)],
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: "es2023",
    // An inlined asset would be a data: address, which the pages' policy refuses.
    assetsInlineLimit: 0,
    // Swagger UI comes as one file.
    chunkSizeWarningLimit: 1600,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // On a slow machine it would print a page about them at each `npm start`.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: { groups: GROUPS },
        // Joined files may import each other, so the order of their modules must be kept.
        strictExecutionOrder: true,
        chunkFileNames: ({ name }) => `${shortName(name)}.js`,
        assetFileNames: ({ names }) => `${shortName(names[0])}[extname]`,
      },
      input: {
        portal: resolve(here, "portal/index.html"),
        operator: resolve(here, "operator/index.html"),
        reference: resolve(here, "docs/index.html"),
      },
    },
  },
});
