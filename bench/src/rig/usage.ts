import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of /proc per second, on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds that a process and those it started have used, threads included; null where there is no /proc. */
export function cpuSeconds(pid: number): number | null {
  const own = ticks(pid);
  if (own === null) return null;
  return (own + childrenOf(pid).reduce((sum, child) => sum + (ticks(child) ?? 0), 0)) / TICKS;
}

/** CPU seconds of one process, its main thread and its worker threads; null where there is no /proc. */
export function threadSeconds(pid: number): { main: number; workers: number } | null {
  const main = ticks(pid, `task/${pid}/`);
  if (main === null) return null;
  let workers = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    if (read(`/proc/${pid}/task/${thread}/comm`)?.trim() !== "WorkerThread") continue;
    workers += ticks(pid, `task/${thread}/`) ?? 0;
  }
  return { main: main / TICKS, workers: workers / TICKS };
}

/** Bytes that a process has had written to disk; null where the system does not tell. */
export function bytesWritten(pid: number): number | null {
  const bytes = /^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`) ?? "")?.[1];
  return bytes === undefined ? null : Number(bytes);
}

/** The most memory that a process has had at once, MiB; null where there is no /proc. */
export function peakMemory(pid: number): number | null {
  const status = read(`/proc/${pid}/status`);
  const kib = status === null ? undefined : /VmHWM:\s+(\d+)/.exec(status)?.[1];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}

function ticks(pid: number, part = ""): number | null {
  const stat = read(`/proc/${pid}/${part}stat`);
  if (stat === null) return null;
  // The name, in brackets, may hold spaces. Time of children that have ended counts too, but not for one thread.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (part === "" ? [11, 12, 13, 14] : [11, 12]).reduce(
    (sum, index) => sum + Number(fields[index]),
    0,
  );
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : null;
    if (stat === null) return [];
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return parent === pid ? [Number(name)] : [];
  });
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
