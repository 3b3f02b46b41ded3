import type { Words } from "./en/index.ts";
import { setWords } from "./first-words.ts";
import { chooseTongue, type Language, setTongue, type Tongue } from "./locale.ts";

type Catalogues = Partial<Record<Language, () => Promise<Words>>>;

/** English comes with the pages. Any other language is a chunk of its own, which only its readers fetch. */
const CATALOGUES: Catalogues = {
  de: async () => (await import("./de/index.ts")).de,
};

/** Decides the page's language, for as long as it is open. To be awaited before the first render. */
export async function speak(wish: string | null): Promise<void> {
  const { language } = await choose(wish, navigator.languages);
  document.documentElement.lang = language;
}

/** Falls back to English if the texts of another language cannot be loaded. */
export async function choose(
  wish: string | null,
  ofBrowser: readonly string[],
  catalogues: Catalogues = CATALOGUES,
): Promise<Tongue> {
  const tongue = chooseTongue(wish, ofBrowser);
  const load = catalogues[tongue.language];
  try {
    if (load !== undefined) setWords(await load());
    setTongue(tongue);
    return tongue;
  } catch {
    const english = chooseTongue("en", ofBrowser);
    setTongue(english);
    return english;
  }
}
