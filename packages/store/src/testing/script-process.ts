import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface ScriptProcess {
  readonly pid: number;
  /** All lines printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line, printed already or to come, that begins so. Rejects when the process ends first. */
  line(start: string): Promise<string>;
  /** As a power cut does: SIGKILL, no goodbye. */
  kill(): Promise<void>;
}

/** For tests of what a killed process leaves behind: runs a script in a process of its own. */
export function startScript(script: URL, ...parameters: string[]): ScriptProcess {
  const child = spawn(process.execPath, [fileURLToPath(script), ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines: string[] = [];
  const waiting = new Set<(line: string) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const look of waiting) look(line);
  });
  return {
    pid: child.pid ?? 0,
    lines,
    async line(start) {
      return await new Promise<string>((resolve, reject) => {
        const look = (line: string): void => {
          if (!line.startsWith(start)) return;
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
        lines.forEach(look);
        void exited.then(() =>
          reject(new Error(`the process ended without "${start}": ${lines.join("\n")}`)),
        );
      });
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
