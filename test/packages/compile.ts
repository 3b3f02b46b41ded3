import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./installed.ts";
import { TYPESCRIPT } from "./program.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The module systems that a TypeScript project may have. */
export const PROJECTS = {
  "nodenext, an ES module": { file: "mts", module: "nodenext", moduleResolution: "nodenext" },
  "nodenext, CommonJS": { file: "cts", module: "nodenext", moduleResolution: "nodenext" },
  bundler: { file: "ts", module: "esnext", moduleResolution: "bundler" },
  "node16, CommonJS": { file: "cts", module: "node16", moduleResolution: "node16" },
} as const;
/** Of compilers before TypeScript 6. */
export const OLD_PROJECTS = {
  "commonjs, without exports": {
    file: "ts",
    module: "commonjs",
    moduleResolution: "node10",
    target: "es2020",
  },
} as const;

/** Compiles a program that uses both libraries. Throws with what the compiler said. */
export function compile(
  folder: string,
  tsc: string,
  { file, ...modules }: { file: string; module: string; moduleResolution: string; target?: string },
): void {
  const project = join(folder, "typescript");
  mkdirSync(project, { recursive: true });
  const program = `program.${file}`;
  writeFileSync(join(project, program), TYPESCRIPT);
  const options = {
    target: "es2022",
    ...modules,
    strict: true,
    noEmit: true,
    // What is in the packages' types is looked at, too.
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
  };
  const config = JSON.stringify({ compilerOptions: options, files: [program] });
  writeFileSync(join(project, "tsconfig.json"), config);
  run(project, process.execPath, [tsc, "-p", "."]);
}
