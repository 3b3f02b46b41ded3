import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { signTestRequest } from "@markethook/receiver/testing";
import { run } from "./installed.ts";

/** Gives an entry to esbuild and returns what it made. */
function esbuild(from: string, folder: string, platform: string, entry: string): Buffer {
  const file = join(folder, "entry.mjs");
  writeFileSync(file, entry);
  const options = ["--bundle", "--minify", "--format=esm", `--platform=${platform}`];
  return Buffer.from(
    run(folder, join(from, `@esbuild/${process.platform}-${process.arch}/bin/esbuild`), [
      file,
      ...options,
    ]),
  );
}

/** In bytes, compressed with gzip. */
export function bundleSize(from: string, folder: string, entry: string): number {
  return gzipSync(esbuild(from, folder, "browser", entry), { level: 9 }).length;
}

interface Judging {
  judged(): Promise<{ right: boolean; changed: boolean; cause: string }>;
}

/** The receiver in a bundle that judges three requests. */
export async function bundled(
  from: string,
  folder: string,
  platform: "browser" | "neutral",
  output: string,
): Promise<{ text: string; module: Judging }> {
  const secret = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
  const { body, headers } = signTestRequest({ event: "product.update", secret });
  const entry = `import { verify } from "@markethook/receiver";
import { verify as explain } from "@markethook/receiver/explain";
import { createFetchHandler } from "@markethook/receiver/fetch";
export { createFetchHandler };
const secret = ${JSON.stringify(secret)};
const headers = ${JSON.stringify(headers)};
export async function judged() {
  const body = Uint8Array.from(${JSON.stringify([...body])});
  const right = await verify(body, headers, secret);
  const spaces = await explain(body, headers, secret + " ");
  body[10] ^= 1;
  const changed = await verify(body, headers, secret);
  return { right: right.ok, changed: changed.ok, cause: spaces.causes[0].code };
}`;
  writeFileSync(output, esbuild(from, folder, platform, entry));
  return {
    text: readFileSync(output, "utf8"),
    // What the entry above exports.
    module: (await import(pathToFileURL(output).href)) as Judging,
  };
}
