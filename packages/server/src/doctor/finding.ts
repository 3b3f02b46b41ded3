import { CATALOGUE, type FindingCode, type Level } from "./catalogue.ts";

/** One thing that is not as it should be. */
export interface Finding {
  level: Level;
  code: FindingCode;
  /** What was found, with the values that matter; never a secret. */
  sentence: string;
  /** What to do. */
  advice: string;
}

export function finding(code: FindingCode, sentence: string): Finding {
  const { level, advice } = CATALOGUE[code];
  return { level, code, sentence, advice };
}
