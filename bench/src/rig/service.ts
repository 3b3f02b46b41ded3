import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createTestDatabase, type PostgresServer } from "@markethook/store/testing";
import { receiverAddress } from "./addresses.ts";
import type { Place } from "./hostile.ts";
import { installedCommand } from "./installed.ts";
import { killAtExit } from "./kill-at-exit.ts";

export type StoreKind = "sqlite" | "postgres";

/** `markethook serve` as it is installed and runs by default, with a database of its own. */
export interface Service {
  address: string;
  key: string;
  pid: number;
  /** Of PostgreSQL; of the folder's file otherwise. */
  databaseUrl: string | null;
  folder: string;
  stop(): Promise<void>;
  /** Stops the process, lets the caller change the database, and starts another one over it. */
  restart(meanwhile: () => Promise<void>): Promise<Service>;
}

const STOP_MS = 20_000;

export async function startService(
  kind: StoreKind,
  postgres: PostgresServer,
  build: Build = { command: installedCommand(), nodeArguments: [], environment: {} },
): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-bench-"));
  const database = kind === "postgres" ? await createTestDatabase(postgres.url) : null;
  const key = await makeKey(build.command);
  return await launch({ folder, key, database, build });
}

/** What is started, and how. */
export interface Build {
  /** The bundled command's file. */
  command: string;
  nodeArguments: readonly string[];
  /** Next to what every service of the benchmark is started with. */
  environment: Readonly<Record<string, string>>;
}

interface Kept {
  folder: string;
  key: string;
  database: { url: string; drop(): Promise<void> } | null;
  build: Build;
}

async function launch(place: Kept): Promise<Service> {
  const { command, nodeArguments, environment } = place.build;
  const child = spawn(process.execPath, [...nodeArguments, command, "serve"], {
    cwd: place.folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      MARKETHOOK_PORT: "0",
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_DATA_DIR: place.folder,
      MARKETHOOK_API_KEY: place.key,
      MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
      ...(place.database === null ? {} : { MARKETHOOK_DATABASE_URL: place.database.url }),
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  killAtExit(child);
  const address = await listening(child);
  const stop = async (): Promise<void> => {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await exited;
    clearTimeout(timer);
  };
  return {
    address,
    key: place.key,
    pid: child.pid ?? 0,
    databaseUrl: place.database?.url ?? null,
    folder: place.folder,
    async stop() {
      await stop();
      rmSync(place.folder, { recursive: true, force: true });
      await place.database?.drop();
    },
    async restart(meanwhile) {
      await stop();
      await meanwhile();
      return await launch(place);
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("no standard output");
  const lines = createInterface({ input: child.stdout });
  return await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
    lines.on("line", (line) => {
      // Read to the end, or the pipe would fill up.
      if (!line.includes('"listening"')) return;
      resolve(String((JSON.parse(line) as { address: string }).address));
    });
  });
}

async function makeKey(command: string): Promise<string> {
  const child = spawn(process.execPath, [command, "make-key"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let key = "";
  child.stdout.on("data", (chunk: Buffer) => (key += chunk.toString()));
  await new Promise((resolve) => child.once("exit", resolve));
  return key.trim();
}

/** All webhooks of a run sign with it. */
export const SECRET = "benchbenchbenchbenchbenchbenchbenchbenchbenchben";

const IMPORTED_AT_ONCE = 1000;

/** Resources with one webhook each, spread over the receivers' addresses. Answers the resources' ids. */
export async function addWebhooks(
  service: Service,
  input: {
    count: number;
    /** Of all addresses. With several, all addresses with the first one come first. */
    port: number | readonly number[];
    addresses: number;
    name: string;
    paused?: boolean;
    scheme?: "http" | "https";
  },
): Promise<string[]> {
  const resources = Array.from({ length: input.count }, (_, no) => `${input.name}-${no}`);
  const state = input.paused === true ? "paused" : "active";
  const { addresses, scheme = "http" } = input;
  const ports = [input.port].flat();
  const url = (no: number): string => {
    const port = ports[Math.floor(no / addresses) % ports.length];
    return `${scheme}://${receiverAddress(no % addresses)}:${port}/hooks`;
  };
  // Kept connections are per owner, and these are the same ones however many webhooks there are.
  await importWebhooks(service, resources, { url, state, owner: (no) => no % addresses });
  return resources;
}

/** One resource and webhook each, kind by kind in turn; every one has an address of its own. */
export async function addHostile(
  service: Service,
  { count, places }: { count: number; places: readonly Place[] },
): Promise<string[]> {
  const resources = Array.from({ length: count }, (_, no) => `hostile-${no}`);
  const url = (no: number): string => {
    const place = places[no % places.length];
    if (place === undefined) throw new Error("no places");
    return `${place.scheme}://127.2.${no >> 8}.${no & 255}:${place.port}/hooks`;
  };
  await importWebhooks(service, resources, { url, state: "active", owner: (no) => no });
  return resources;
}

async function importWebhooks(
  service: Service,
  resources: readonly string[],
  { url, state, owner }: { url(no: number): string; state: string; owner(no: number): number },
): Promise<void> {
  const records = resources.flatMap((resourceId, no) => [
    {
      kind: "resource",
      id: resourceId,
      title: `Castle ${no}`,
      subtitle: "A map",
      ownerId: `owner-${owner(no)}`,
    },
    { kind: "webhook", resourceId, url: url(no), secret: SECRET, state },
  ]);
  for (let at = 0; at < records.length; at += IMPORTED_AT_ONCE) {
    const answer = await call(service, "POST", "/v1/import", {
      records: records.slice(at, at + IMPORTED_AT_ONCE),
    });
    const { results } = answer as { results: { status: string }[] };
    const refused = results.find((result) => result.status !== "created");
    if (refused !== undefined) throw new Error(`import: ${JSON.stringify(refused)}`);
  }
}

async function call(
  service: Service,
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const response = await fetch(`${service.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
