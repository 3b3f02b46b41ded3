import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Tools that are too large for `npm ci`, as only tests and measurements use them. Each has a folder here with a
 * package.json and a lock of its own, and comes from npm when it is first asked for (docs/adr/0018).
 *
 * An installation goes into a new folder. A record of its files is put in place last, in one step: who finds a record
 * finds a whole installation, half ones are never looked at, and two processes do not disturb each other.
 */
const HERE = import.meta.dirname;
/** Names of tools that a test run could not get: its files need not all try again. */
const ABSENT = "MARKETHOOK_TEST_ABSENT";
const HOUR_MS = 3_600_000;
/** A module next to the packages, as they are looked up from where an import stands. */
const LOADER = "export const load = (name) => import(name);\n";

interface Place {
  /** The folder with a folder per tool. */
  tools: string;
  /** npm's settings, the same as for the whole. */
  npmrc: string;
}
const OURS: Place = { tools: HERE, npmrc: join(HERE, "../../.npmrc") };

interface Installation {
  folder: string;
  /** By path within the folder: their sizes. */
  files: { [path: string]: number };
}

const found = new Map<string, Promise<string>>();

/** The folder in which the tool's packages are, under `node_modules`. Installs them where they are not there or not whole. */
export async function onDemand(name: string, place = OURS): Promise<string> {
  const key = join(place.tools, name);
  const known = found.get(key) ?? install(name, place);
  found.set(key, known);
  return await known;
}

/** A package of a tool, as `import` gives it. What it exports is said by the caller: there are no types to read. */
export async function importOnDemand<T>(name: string, specifier: string): Promise<T> {
  const folder = await onDemand(name);
  const { load } = (await import(pathToFileURL(join(folder, "load.mjs")).href)) as {
    load(specifier: string): Promise<T>;
  };
  return await load(specifier);
}

/** For the environment of test files: what could not be had. */
export function absentTools(names: readonly string[]): { [variable: string]: string } {
  return names.length === 0 ? {} : { [ABSENT]: names.join(",") };
}

async function install(name: string, { tools, npmrc }: Place): Promise<string> {
  const source = join(tools, name);
  const manifest = readFileSync(join(source, "package.json"));
  const lock = readFileSync(join(source, "package-lock.json"));
  const about = JSON.parse(manifest.toString("utf8")) as { description: string };
  const version = createHash("sha256")
    .update(manifest)
    .update(lock)
    .update(LOADER)
    .digest("hex")
    .slice(0, 12);
  const installed = join(tools, ".installed");
  const record = join(installed, `${name}-${version}.json`);
  const there = wholeFolder(installed, record);
  if (there !== null) return there;
  const command = `npm run on-demand -- ${name}`;
  const advice = `Run \`${command}\` once with a connection to npm's registry; nothing else is missing.`;
  if ((process.env[ABSENT] ?? "").split(",").includes(name)) {
    throw new Error(`${about.description}: not installed. ${advice}`);
  }
  process.stderr.write(`${about.description}: fetched from npm, once ...\n`);
  const startedAt = performance.now();
  const id = `${name}-${version}-${randomBytes(4).toString("hex")}`;
  const folder = join(installed, id);
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    cpSync(join(source, file), join(folder, file));
  }
  cpSync(npmrc, join(folder, ".npmrc"));
  writeFileSync(join(folder, "load.mjs"), LOADER);
  const fault = (await npmCi(folder)) ?? leftOut(folder, lock.toString("utf8"));
  if (fault !== null) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${about.description}: could not be fetched. ${advice} npm said: ${fault}`);
  }
  // Another process may have been quicker.
  const theirs = wholeFolder(installed, record);
  if (theirs !== null) {
    rmSync(folder, { recursive: true, force: true });
    return theirs;
  }
  const text = JSON.stringify({ folder: id, files: sizes(folder) } satisfies Installation);
  writeFileSync(join(installed, `${id}.tmp`), text);
  renameSync(join(installed, `${id}.tmp`), record);
  removeOld(installed, name, record);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write(`${about.description}: installed in ${seconds} s.\n`);
  return folder;
}

/** Null where nothing is installed, or a file is missing or cut. */
function wholeFolder(installed: string, record: string): string | null {
  if (!existsSync(record)) return null;
  try {
    const { folder, files } = JSON.parse(readFileSync(record, "utf8")) as Installation;
    const whole = Object.entries(files).every(
      ([path, size]) => lstatSync(join(installed, folder, path)).size === size,
    );
    return whole ? join(installed, folder) : null;
  } catch {
    return null;
  }
}

function sizes(folder: string): Installation["files"] {
  return Object.fromEntries(
    globSync("**/*", { cwd: folder })
      .map((path) => [path, lstatSync(join(folder, path))] as const)
      .filter(([, stat]) => !stat.isDirectory())
      .map(([path, stat]) => [path, stat.size]),
  );
}

/** What npm says where it fails, otherwise null. */
async function npmCi(folder: string): Promise<string | null> {
  // What a surrounding npm was told about its own folder is not meant for this one.
  const told = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_(local_)?prefix|config_workspaces?|package_|lifecycle_)/i.test(name),
  );
  // A registry may be out of reach for some seconds.
  const env = { npm_config_fetch_retries: "4", ...Object.fromEntries(told) };
  const options = [
    // Foreign code runs in tests, not in installations.
    "--ignore-scripts",
    // What a lock names does not change: what npm has already fetched need not be asked for.
    "--prefer-offline",
    // Without a network, say so in seconds.
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=4000",
  ];
  const npm = process.env["npm_execpath"];
  const [file, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const child = spawn(file, [...first, "ci", ...options], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => void (said += chunk.toString("utf8")));
  const code = await new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (exit) => resolve(exit ?? "stopped"));
  });
  if (code === 0) return null;
  const lines = said.split("\n").map((line) => line.replace(/^npm error ?/, "").trim());
  return [`exit ${code}`, ...lines.filter((line) => line !== "" && !line.includes("debug"))]
    .slice(0, 6)
    .join("; ");
}

interface Locked {
  packages: { [path: string]: { os?: Names; cpu?: Names; libc?: Names } };
}
type Names = string | readonly string[];

/**
 * npm leaves an optional package out, and reports success, where the registry cannot be reached for a moment. Names the
 * packages of this system that are missing; null where all are there.
 */
function leftOut(folder: string, lock: string): string | null {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const libc = header.glibcVersionRuntime === undefined ? "musl" : "glibc";
  const missing = Object.entries((JSON.parse(lock) as Locked).packages)
    .filter(([, { os, cpu }]) => names(os, process.platform) && names(cpu, process.arch))
    .filter(([, locked]) => process.platform !== "linux" || names(locked.libc, libc))
    .map(([path]) => path)
    .filter((path) => path !== "" && !existsSync(join(folder, path)));
  return missing.length === 0 ? null : `left out: ${missing.join(", ")}`;
}

function names(list: Names | undefined, ours: string): boolean {
  return list === undefined || [list].flat().includes(ours);
}

/** Of earlier locks, and what processes left that were killed. Not what another process may be writing now. */
function removeOld(installed: string, name: string, record: string): void {
  const { folder } = JSON.parse(readFileSync(record, "utf8")) as Installation;
  const own = new RegExp(`^${name}-[0-9a-f]{12}(-[0-9a-f]{8}(\\.tmp)?|\\.json)$`);
  for (const entry of globSync("*", { cwd: installed })) {
    const path = join(installed, entry);
    if (!own.test(entry) || entry === folder || path === record) continue;
    if (Date.now() - statSync(path).mtimeMs < HOUR_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/** All, or those that are named, e.g. before a journey without a network. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const all = globSync("*/package-lock.json", { cwd: HERE }).map(
    (path) => path.split("/")[0] ?? "",
  );
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new Error(`No such tool: ${unknown.join(", ")}. There are ${all.join(", ")}.`);
  }
  for (const name of named.length > 0 ? named : all) {
    process.stdout.write(`${await onDemand(name)}\n`);
  }
}
