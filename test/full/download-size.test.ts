import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const MOST = 150_000_000;
const GZIP = Buffer.from([0x1f, 0x8b]);
const root = join(import.meta.dirname, "../..");

test("npm ci on a fresh machine fetches at most 150 MB, packages and what npm looks up about them", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-download-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  copyManifests(folder);
  const cache = join(folder, ".cache");
  const { code, said } = await npmCi(folder, [`--cache=${cache}`, "--ignore-scripts"]);
  if (code !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNRE|ETIMEDOUT|ENETUNREACH|socket/i.test(said)) {
    t.skip(
      `npm's registry cannot be reached, so nothing was measured: ${said.trim().slice(0, 200)}`,
    );
    return;
  }
  assert.equal(code, 0, said);
  const { packages, metadata } = fetched(cache);
  t.diagnostic(`Packages: ${megabytes(packages)}; about them: ${megabytes(metadata)}.`);
  // Node alone is more: otherwise npm keeps elsewhere what it fetched.
  assert.ok(packages > 40_000_000, `only ${megabytes(packages)} were found in npm's cache`);
  assert.ok(
    packages + metadata <= MOST,
    `npm ci fetches ${megabytes(packages + metadata)}; ${megabytes(MOST)} is the most. What only tests need belongs into tools/on-demand.`,
  );
});

/** From npm's cache. Tarballs are as they came; JSON was unpacked, and is packed again to count what was sent. */
function fetched(cache: string): { packages: number; metadata: number } {
  let packages = 0;
  let metadata = 0;
  for (const path of globSync("_cacache/content-v2/*/*/*/*", { cwd: cache })) {
    const bytes = readFileSync(join(cache, path));
    if (bytes.subarray(0, 2).equals(GZIP)) packages += bytes.length;
    else metadata += gzipSync(bytes).length;
  }
  return { packages, metadata };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** All that npm looks at; what npm runs after an installation is no part of it. */
function copyManifests(folder: string): void {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    workspaces: string[];
  };
  const paths = globSync(
    workspaces.map((workspace) => `${workspace}/package.json`),
    { cwd: root },
  );
  for (const path of [...paths, "package-lock.json", ".npmrc"]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, scripts: {} }));
}

async function npmCi(
  cwd: string,
  options: string[],
): Promise<{ code: number | null; said: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package_|lifecycle_|config_(local_)?prefix)/i.test(name),
    ),
  );
  const child = spawn("npm", ["ci", ...options], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => void (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}
