import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./compress-plugin.ts";

const here = import.meta.dirname;
const dist = resolve(here, "dist");

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
