import { spawn } from "node:child_process";
import { MAIN } from "../built-command.ts";

export interface CommandOptions {
  env?: Record<string, string>;
  /** For standard input; without it, it is empty. */
  input?: string | Buffer;
  /** More input may come: it does not end. */
  inputStaysOpen?: boolean;
}

export interface Ended {
  /** Null after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  /** Resolves with the match when standard output and error together have it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** As `head` does: nobody reads standard output any more. */
  closeOutput(): void;
  /** Resolves when it has begun to read, if there is more input than a pipe holds. */
  inputTaken: Promise<void>;
  ended: Promise<Ended>;
}

const COMMAND = [process.execPath, MAIN] as const;

/** Starts `markethook …` as a user would. */
export function startCommand(
  args: readonly string[],
  { env = {}, input = "", inputStaysOpen = false }: CommandOptions = {},
  [file, ...before]: readonly string[] = COMMAND,
): RunningCommand {
  const child = spawn(file ?? "", [...before, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "pipe",
    // One that never ends must fail its test, not the run.
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  // A command that ends before it has read its input is none of our trouble.
  child.stdin.on("error", () => undefined);
  const inputTaken = new Promise<void>((resolve) => {
    child.stdin.write(input, () => resolve());
  });
  if (!inputStaysOpen) child.stdin.end();
  const texts = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...texts }));
  });
  return {
    ended,
    inputTaken,
    signal: (name) => void child.kill(name),
    closeOutput: () => void child.stdout.destroy(),
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

export async function runCommand(
  args: readonly string[],
  options?: CommandOptions,
): Promise<Ended> {
  return await startCommand(args, options).ended;
}
