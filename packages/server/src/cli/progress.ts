import type { Context } from "./context.ts";

export interface Progress {
  /** `done` of the total; `what` is said beside it. */
  at(done: number, what?: string): void;
  /** Ends it with a sentence. */
  end(sentence: string): void;
}

/** Where nobody watches, a line for each tenth is enough. */
const STEPS = 10;

/** Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing but the end with `--json`. */
export async function openProgress(
  context: Context,
  what: string,
  total: number,
): Promise<Progress> {
  const { out, stderr } = context;
  if (out.json) return { at: () => undefined, end: () => undefined };
  if (stderr.isTTY !== true) return plainProgress(context, what, total);
  const { progress } = await import("@clack/prompts");
  const bar = progress({ max: Math.max(1, total), output: stderr, withGuide: false });
  bar.start(what);
  let shown = 0;
  return {
    at(done, said = what) {
      bar.advance(done - shown, said);
      shown = done;
    },
    end: (sentence) => bar.stop(sentence),
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
