import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileLibrary } from "../c-library.ts";

const SOURCE = join(import.meta.dirname, "wall-clock.c");

/** The wall clock of those processes that are started with its environment. Their monotonic clocks go on. */
export interface WallClock {
  env: Readonly<Record<string, string>>;
  /** How far it is off now, in ms. */
  byMs: number;
  set(byMs: number): void;
}

export interface WallClocks {
  make(): WallClock;
  remove(): void;
}

/** Returns why there are none, where that cannot be. Other users may load and read them. */
export function makeWallClocks(): WallClocks | string {
  const folder = mkdtempSync(join(tmpdir(), "markethook-clock-"));
  chmodSync(folder, 0o755);
  const remove = (): void => rmSync(folder, { recursive: true });
  const compiled = compileLibrary(SOURCE, folder, "setting a clock");
  if ("reason" in compiled) {
    remove();
    return compiled.reason;
  }
  let made = 0;
  return {
    make() {
      made += 1;
      const file = join(folder, `clock-${made}`);
      const clock: WallClock = {
        env: { LD_PRELOAD: compiled.library, CLOCK_FILE: file },
        byMs: 0,
        set(byMs) {
          clock.byMs = byMs;
          const bytes = Buffer.alloc(8);
          bytes.writeBigInt64LE(BigInt(byMs));
          // In place, as it is mapped.
          writeFileSync(file, bytes, { flag: "r+" });
        },
      };
      writeFileSync(file, Buffer.alloc(8), { mode: 0o644 });
      return clock;
    },
    remove,
  };
}
