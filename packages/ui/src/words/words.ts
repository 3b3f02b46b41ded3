import { en, type Words } from "./en/index.ts";
import { followWords } from "./first-words.ts";

export type { Words };

/**
 * The texts in the page's language, by folder: `words.replay.count` stands in `en/replay.ts`. The language is set before
 * the first render. So read a text where it is shown, and not in a constant of a module.
 */
export let words: Words = en;

followWords((next) => {
  words = next;
});
