import { createRandom, type Random } from "../fuzz/random.ts";

/**
 * One stream of choices for each use, so that a fault that is left out changes no choice of anything else. Only whole
 * numbers and fractions of them: logarithms and the like may differ from one machine to the next.
 */
export interface Choices extends Random {
  /** A number from `from` up to `to`. */
  between(from: number, to: number): number;
  whole(from: number, to: number): number;
  chance(of: number): boolean;
}

const FRACTIONS = 1_000_000;

export function choicesFor(seed: number, use: string): Choices {
  let index = 0;
  for (let at = 0; at < use.length; at += 1) index = (index * 31 + use.charCodeAt(at)) | 0;
  const random = createRandom(seed, index);
  const fraction = (): number => random.int(FRACTIONS) / FRACTIONS;
  return {
    ...random,
    between: (from, to) => from + (to - from) * fraction(),
    whole: (from, to) => from + random.int(to - from + 1),
    chance: (of) => fraction() < of,
  };
}
