import type { Context } from "../program/context.ts";

export interface Progress {
  /** `done` of the total; `what` is said next to it. */
  at(done: number, what?: string): void;
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

/** How often a tally is printed: on a terminal in one line that is written over, elsewhere in a new line each time. */
const EVERY_MS = { terminal: 100, plain: 5000 } as const;

/** Progress where a bar would not say enough. Nothing with `--json`. */
export function openTally({ out, stderr, now }: Context) {
  const line = stderr.isTTY === true ? changingLine(stderr) : null;
  let shownAt = now();
  return {
    show(text: () => string): void {
      const at = now();
      const every = line === null ? EVERY_MS.plain : EVERY_MS.terminal;
      if (out.json || at - shownAt < every) return;
      shownAt = at;
      if (line === null) out.remark(text());
      else line.show(text());
    },
    /** Clears the line, to make room for other text. */
    clear(): void {
      if (!out.json) line?.clear();
    },
  };
}

/** A line on a terminal that is written over. */
function changingLine(stderr: Context["stderr"]) {
  return {
    show(text: string): void {
      // Longer than the terminal is wide it could not be written over. Some terminals say that they have none.
      stderr.write(`\r${text.slice(0, (stderr.columns || LEAST_COLUMNS) - 1)}${TO_THE_END}`);
    },
    clear: () => void stderr.write(`\r${TO_THE_END}`),
  };
}

function terminalProgress({ stderr }: Context, what: string, total: number): Progress {
  const line = changingLine(stderr);
  const show = (done: number, said: string): void => {
    const part = total === 0 ? 1 : Math.min(1, done / total);
    const full = Math.floor(part * BAR);
    const bar = "█".repeat(full) + "░".repeat(BAR - full);
    line.show(`${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${said}`);
  };
  show(0, what);
  return {
    at: (done, said = what) => show(done, said),
    end(sentence) {
      line.clear();
      stderr.write(`${sentence}\n`);
    },
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
