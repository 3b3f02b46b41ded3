import { readFileSync } from "node:fs";

/** MiB over a run. */
export interface MemoryCourse {
  first: number;
  last: number;
  most: number;
  /** MiB in a minute, by the least squares over the second half. */
  slope: number;
  samples: number;
}

const EVERY_MS = 1000;

/** Reads a process's memory each second. */
export function watchMemory(pid: number): { stop(): MemoryCourse } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    if (kib !== undefined) samples.push(Number(kib) / 1024);
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      const half = samples.slice(Math.floor(samples.length / 2));
      return {
        first: samples[0] ?? 0,
        last: samples.at(-1) ?? 0,
        most: Math.max(0, ...samples),
        slope: slopeOf(half) * (60_000 / EVERY_MS),
        samples: samples.length,
      };
    },
  };
}

function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let above = 0;
  let below = 0;
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean);
    below += (at - middle) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
