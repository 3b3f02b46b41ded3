import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { makeApiKey } from "@markethook/api/tokens";
import { MAIN } from "./built-command.ts";
import { call } from "./marketplace.ts";

export interface ServiceProcess {
  /** e.g. `http://127.0.0.1:41234` */
  address: string;
  /** The API, with the service's key. */
  api(method: string, path: string, body?: unknown): ReturnType<typeof call>;
  pid: number;
  /** When it was spawned and when it listened, monotonic ms. */
  spawnedAt: number;
  listeningAt: number;
  /** Log lines so far, parsed. */
  log: Record<string, unknown>[];
  /** Resolves when a line with this message has been logged since the call. */
  logged(message: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>;
  /** Resolves when it has gone. */
  kill(): Promise<void>;
}

/** The key of each service whose test gives it no other one. */
export const apiKey = makeApiKey(randomBytes);

/** Receivers on loopback are allowed. */
const SETTINGS = {
  MARKETHOOK_PORT: "0",
  MARKETHOOK_BASE_URL: "https://market.example",
  MARKETHOOK_API_KEY: apiKey,
  MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
};

/**
 * Starts `markethook serve` as a user would, and waits until it listens.
 *
 * @param within a command that ends by becoming the service, such as `unshare --mount`; empty for none
 */
export async function startServiceProcess(
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<ServiceProcess> {
  const spawnedAt = performance.now();
  // A library that warns of what its next version refuses writes it between the lines of the log.
  const [command, ...args] = [...within, process.execPath, "--throw-deprecation", MAIN, "serve"];
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", ...SETTINGS, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const log: Record<string, unknown>[] = [];
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const address = await listening(child, log, exited, () => errors);
  return {
    address,
    api: (...request) => call(address, env["MARKETHOOK_API_KEY"] ?? apiKey, ...request),
    pid: child.pid ?? 0,
    spawnedAt,
    listeningAt: performance.now(),
    log,
    async logged(message) {
      const from = log.length;
      while (!log.slice(from).some((line) => line["msg"] === message)) {
        await new Promise<void>((resolve) =>
          child.stdout.once("data", () => setImmediate(resolve)),
        );
      }
    },
    signal: (name) => void child.kill(name),
    exited,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function listening(
  child: ChildProcess,
  log: Record<string, unknown>[],
  exited: Promise<number | null>,
  errors: () => string,
): Promise<string> {
  if (child.stdout === null) throw new Error("no standard output");
  const lines = createInterface({ input: child.stdout });
  return await new Promise((resolve, reject) => {
    void exited.then((code) => reject(new Error(`the service ended with ${code}: ${errors()}`)));
    lines.on("line", (line) => {
      const entry = parse(line);
      if (log.length < 10_000) log.push(entry);
      if (entry["msg"] === "listening") resolve(String(entry["address"]));
    });
  });
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { msg: line };
  }
}
