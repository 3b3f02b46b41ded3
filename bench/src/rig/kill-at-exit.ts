import type { ChildProcess } from "node:child_process";

/** A measurement that is ended from outside, e.g. by `timeout`, leaves no process running. */
export function killAtExit(child: ChildProcess): void {
  const kill = (): void => void child.kill("SIGKILL");
  // Before its files are removed.
  process.prependOnceListener("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

/** Ctrl-C and `kill` end this process so that what is done at its exit is done. */
export function exitAtSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
}
