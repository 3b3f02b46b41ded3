import { words } from "../words/words.ts";

/** What an attempt's outcome means, and what to do next. */
interface OutcomeWords {
  title: string;
  next: string;
}

/** `sent`: whether any of the request left. */
export function outcomeWords(outcome: string, sent = true): OutcomeWords {
  const { outcomes, unsent, ours } = words.deliveries;
  const all: Readonly<Record<string, OutcomeWords>> = sent ? outcomes : { ...outcomes, ...unsent };
  return all[outcome] ?? ours;
}
