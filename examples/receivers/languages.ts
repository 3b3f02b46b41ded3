import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@markethook/protocol/testing";
import { type RunningReceiver, startReceiver } from "./start-receiver.ts";

/** How a receiver in some language is run, and what "no secret" is there. */
export interface Language {
  name: string;
  /** Asks for its version, to see whether it is there. */
  version: readonly [command: string, ...args: string[]];
  command: (code: string, folder: string, port: number) => Run | Promise<Run>;
  /** Where a start takes long, because it compiles. */
  timeoutMs?: number;
  /** The line after which it takes connections; null where it says none. */
  ready: RegExp | null;
  /** How the secret is read. */
  reads: RegExp;
  /** What else may stand there where somebody forgot it, and no environment gives: it gives what is empty and what is unset. */
  missing: readonly string[];
  /** Whether it listens without a secret, and answers 500 to everything. */
  startsWithout: boolean;
  /** The line behind what is done, and one in its place as if that had failed. */
  fails: readonly [line: RegExp, instead: string];
}

interface Run {
  command: string;
  arguments: readonly string[];
  /** On its standard input. */
  input?: string;
}

export const NODE: Language = {
  name: "Node",
  version: [process.execPath, "--version"],
  command: (input) => ({
    command: process.execPath,
    arguments: ["--input-type=module-typescript", "-"],
    input,
  }),
  ready: /^Listening on/,
  reads: /process\.env(\["WEBHOOK_SECRET"\]|\.WEBHOOK_SECRET)/,
  missing: ["null", "false"],
  startsWithout: false,
  fails: [/(?:if \(id !== undefined\) )?done\.add\(id\);/, 'throw new Error("no database");'],
};

/** As Node runs it at once. */
export const JAVASCRIPT: Language = {
  ...NODE,
  command: (input) => ({
    command: process.execPath,
    arguments: ["--input-type=module", "-"],
    input,
  }),
};

export const PYTHON: Language = {
  name: "Python",
  version: ["python3", "--version"],
  command: (input) => ({ command: "python3", arguments: ["-"], input }),
  ready: /^Listening on/,
  reads: /os\.environ\.get\("WEBHOOK_SECRET"(, "")?\)/,
  missing: ["None", "False"],
  startsWithout: false,
  fails: [/done\.add\(event_id\)/, 'raise RuntimeError("no database")'],
};

export const PHP: Language = {
  name: "PHP",
  version: ["php", "--version"],
  command(code, folder, port) {
    const file = join(folder, `receiver-${port}.php`);
    writeFileSync(file, code);
    // As without a php.ini: PHP then answers 200 to a request whose program has thrown.
    return {
      command: "php",
      arguments: ["-d", "display_errors=1", "-S", `127.0.0.1:${port}`, file],
    };
  },
  ready: /Development Server .* started/,
  reads: /getenv\('WEBHOOK_SECRET'\)/,
  missing: ["null"],
  startsWithout: true,
  fails: [/touch\(\$done\);/, "throw new Exception('no database');"],
};

const run = promisify(execFile);
/** Paths of what is built, once each, by their texts: most receivers differ in nothing but what they are given. */
const programs = new Map<string, Promise<string>>();

async function builtOnce(code: string, build: () => Promise<string>): Promise<string> {
  const built = programs.get(code) ?? build();
  programs.set(code, built);
  return await built;
}

export const GO: Language = {
  name: "Go",
  version: ["go", "version"],
  async command(code, folder, port) {
    const command = await builtOnce(code, async () => {
      const path = join(folder, `receiver-${port}`);
      writeFileSync(`${path}.go`, code);
      // Without what a debugger needs, it is there sooner.
      await run("go", ["build", "-ldflags=-s -w", "-o", path, `${path}.go`]);
      return path;
    });
    return { command, arguments: [] };
  },
  ready: null,
  reads: /os\.Getenv\("WEBHOOK_SECRET"\)/,
  missing: [],
  startsWithout: false,
  fails: [/done\.Store\(id, true\)/, 'panic("no database")'],
  timeoutMs: 600_000,
};

/** One small program has ended before a second compiler or collector of garbage would be of use. */
const JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

export const JAVA: Language = {
  name: "Java",
  version: ["javac", "--version"],
  async command(code, folder, port) {
    const classes = await builtOnce(code, async () => {
      const path = join(folder, `receiver-${port}`);
      mkdirSync(path);
      writeFileSync(join(path, "Receiver.java"), code);
      await run("javac", [
        ...JVM.map((option) => `-J${option}`),
        "-d",
        path,
        join(path, "Receiver.java"),
      ]);
      return path;
    });
    return { command: "java", arguments: [...JVM, "-cp", classes, "Receiver"] };
  },
  ready: null,
  reads: /System\.getenv\("WEBHOOK_SECRET"\)/,
  // What is unset is null.
  missing: [],
  startsWithout: false,
  fails: [/DONE\.add\(id\);/, 'throw new IllegalStateException("no database");'],
};

/** Whether each command is there that was asked for its version: some take half a second to tell it. */
const commands = new Map<string, boolean>();

/** Why this machine cannot run it, or null. */
export function reasonNotToRun({ name, version: [command, ...args] }: Language): string | null {
  const isThere = commands.get(command) ?? spawnSync(command, args).status === 0;
  commands.set(command, isThere);
  return isThere ? null : `${name} is not here: there is no ${command} on the PATH.`;
}

/** Rejects where it ends at once. */
export async function runReceiver(
  language: Language,
  code: string,
  folder: string,
  secret: string | null,
): Promise<RunningReceiver> {
  const port = await freePort();
  const program = await language.command(code, folder, port);
  // Temporary files are how the samples in PHP remember what was done.
  const environment = { TMPDIR: mkdtempSync(join(folder, "own-")) };
  return await startReceiver({ ...program, ready: language.ready, port, secret, environment });
}
