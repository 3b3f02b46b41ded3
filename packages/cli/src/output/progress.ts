import type { Context } from "../program/context.ts";

export interface Progress {
  /** `done` of the total; `what` is said next to it. */
  at(done: number, what?: string): void;
  /** Ends it with a sentence. */
  end(sentence: string): void;
}

/** Where nobody watches, a line for each tenth is enough. */
const STEPS = 10;
/** Characters of the bar on a terminal. */
const BAR = 24;
const LEAST_COLUMNS = 80;
/** Clears what the line before had more of. */
const TO_THE_END = "\u001b[K";

/** Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing but the end with `--json`. */
export function openProgress(context: Context, what: string, total: number): Progress {
  const { out, stderr } = context;
  if (out.json) return { at: () => undefined, end: () => undefined };
  if (stderr.isTTY !== true) return plainProgress(context, what, total);
  return terminalProgress(context, what, total);
}

/** One line that is written over. */
function terminalProgress({ stderr }: Context, what: string, total: number): Progress {
  const write = (line: string): void => {
    // Longer than the terminal is wide it could not be written over. Some terminals say that they have none.
    stderr.write(`\r${line.slice(0, (stderr.columns || LEAST_COLUMNS) - 1)}${TO_THE_END}`);
  };
  const show = (done: number, said: string): void => {
    const part = total === 0 ? 1 : Math.min(1, done / total);
    const full = Math.floor(part * BAR);
    const bar = "█".repeat(full) + "░".repeat(BAR - full);
    write(`${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${said}`);
  };
  show(0, what);
  return {
    at: (done, said = what) => show(done, said),
    end: (sentence) => void stderr.write(`\r${TO_THE_END}${sentence}\n`),
  };
}

function plainProgress({ out }: Context, what: string, total: number): Progress {
  let told = 0;
  return {
    at(done) {
      const step = total === 0 ? STEPS : Math.floor((done * STEPS) / total);
      if (step <= told) return;
      told = step;
      out.remark(`${what}: ${done} of ${total}`);
    },
    end: (sentence) => out.remark(sentence),
  };
}
