import { join, resolve } from "node:path";
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
      input: {
        portal: resolve(here, "portal/index.html"),
        operator: resolve(here, "operator/index.html"),
        reference: resolve(here, "docs/index.html"),
      },
    },
  },
});
