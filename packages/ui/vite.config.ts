import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./compress-plugin.ts";

const here = import.meta.dirname;
const dist = resolve(here, "dist");

/** Two pages that share their assets. Addresses are relative, so that they work under any path prefix. */
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
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        portal: resolve(here, "portal/index.html"),
        operator: resolve(here, "operator/index.html"),
      },
    },
  },
});
