import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { runProgram } from "@markethook/cli";
import { testHost } from "@markethook/cli/testing";
import { SERVICE_COMMANDS } from "../../packages/server/src/commands/service-commands.ts";
import { MAIN } from "../built-command.ts";

interface CommandOptions {
  env?: Record<string, string>;
  /** For standard input; without it, it is empty. */
  input?: string | Buffer;
}

interface ProcessOptions extends CommandOptions {
  /** More input may come: it does not end. */
  inputStaysOpen?: boolean;
}

export interface Ended {
  /** Null after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Heard {
  /** Resolves with the match when standard output and error together have it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<Ended>;
}

export interface RunningCommand extends Heard {
  signal(name: NodeJS.Signals): void;
  /** As `head` does: nobody reads standard output any more. */
  closeOutput(): void;
  /** Resolves when it has begun to read, if there is more input than a pipe holds. */
  inputTaken: Promise<void>;
}

const COMMAND = [process.execPath, MAIN] as const;

/** Starts `markethook …` as a user would. */
export function startCommand(
  args: readonly string[],
  { env = {}, input = "", inputStaysOpen = false }: ProcessOptions = {},
  [file, ...before]: readonly string[] = COMMAND,
): RunningCommand {
  const child = spawn(file ?? "", [...before, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "pipe",
    // One that never ends must fail its test, not the run.
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  // A command that ends before it has read its input is none of our trouble.
  child.stdin.on("error", () => undefined);
  const inputTaken = new Promise<void>((resolve) => {
    child.stdin.write(input, () => resolve());
  });
  if (!inputStaysOpen) child.stdin.end();
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return {
    ...hear(child, closed),
    inputTaken,
    signal: (name) => void child.kill(name),
    closeOutput: () => void child.stdout.destroy(),
  };
}

/**
 * Starts a whole command line in this process, without the tenth of a second that a process of its own takes. What only
 * a process shows, such as signals, pipes and what the built command loads, is tried with `startCommand`.
 */
export function startHere(
  args: readonly string[],
  { env = {}, input = "" }: CommandOptions = {},
): Heard {
  const host = testHost(args, { env, stdin: input });
  const streams = [host.stdout, host.stderr];
  const closed = runProgram(host, SERVICE_COMMANDS).then(async (code) => {
    await Promise.all(streams.map(async (stream) => await finished(stream.end())));
    return code;
  });
  return hear(host, closed);
}

/** Runs it so to its end. */
export async function runCommand(
  args: readonly string[],
  options?: CommandOptions,
): Promise<Ended> {
  return await startHere(args, options).ended;
}

function hear(
  streams: Record<"stdout" | "stderr", Readable>,
  closed: Promise<number | null>,
): Heard {
  const texts = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    streams[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = closed.then((code) => ({ code, ...texts }));
  return {
    ended,
    printed: async (pattern) =>
      await new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(texts.stdout + texts.stderr);
          if (found === null) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(({ code }) =>
          reject(
            new Error(`ended with ${code} before ${pattern}:\n${texts.stdout}${texts.stderr}`),
          ),
        );
      }),
  };
}
