import { globSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Smaller ones gain nothing. */
const LEAST_BYTES = 1024;

/** Puts a compressed copy beside each file of text, once, so that serving costs no work. */
export function compressBuilt(folder: string): void {
  for (const file of globSync(`${folder}/**/*.{js,css,html,svg}`)) {
    const bytes = readFileSync(file);
    if (bytes.length < LEAST_BYTES) continue;
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  }
}
