import { first } from "./en/app.ts";
import type { Words } from "./en/index.ts";

/**
 * Those of the texts that come with the first load. A file of the first load reads them from here, so that the others
 * are loaded with the pages that show them.
 */
export let words: Pick<Words, keyof typeof first> = first;

let chosen: Words | null = null;
const followers = new Set<(next: Words) => void>();

/** The texts of another language. To be called before the first render. */
export function setWords(next: Words): void {
  words = next;
  chosen = next;
  for (const follow of followers) follow(next);
}

/** Called with the texts of another language, now or when they are chosen. */
export function followWords(follow: (next: Words) => void): void {
  followers.add(follow);
  if (chosen !== null) follow(chosen);
}
