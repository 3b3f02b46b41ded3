import { cpus, loadavg, release, totalmem, type as system } from "node:os";

/** What the figures were taken on; they mean little without it. */
export function describeMachine() {
  const [first] = cpus();
  return {
    cores: cpus().length,
    cpu: first?.model ?? "unknown",
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${system()} ${release()}`,
    node: process.version,
    /** Other work on the machine when the run began: above 1 it disturbs. */
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
