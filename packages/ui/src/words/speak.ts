import type { Words } from "./en/index.ts";
import { setWords } from "./first-words.ts";
import { chooseTongue, type Language, setTongue } from "./locale.ts";

/** English comes with the pages. Any other language is a chunk of its own, which only its readers fetch. */
const CATALOGUES: Partial<Record<Language, () => Promise<Words>>> = {};

/** Decides the page's language, for as long as it is open. To be awaited before the first render. */
export async function speak(wish: string | null): Promise<void> {
  const tongue = chooseTongue(wish, navigator.languages);
  const load = CATALOGUES[tongue.language];
  if (load !== undefined) setWords(await load());
  setTongue(tongue);
  document.documentElement.lang = tongue.language;
}
