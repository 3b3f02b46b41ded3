import type { Words } from "./en/index.ts";
import { setWords } from "./first-words.ts";
import { chooseLanguage, type Language, setLanguage, type PageLanguage } from "./locale.ts";

type Catalogues = Partial<Record<Language, () => Promise<Words>>>;

/** English comes with the pages. Any other language is a chunk of its own, which only its readers fetch. */
const CATALOGUES: Catalogues = {
  de: async () => (await import("./de/index.ts")).de,
};

/** Decides the page's language, for as long as it is open. To be awaited before the first render. */
export async function setPageLanguage(wish: string | null): Promise<void> {
  const { language } = await loadLanguage(wish, navigator.languages);
  document.documentElement.lang = language;
}

/** Falls back to English if the texts of another language cannot be loaded. */
export async function loadLanguage(
  wish: string | null,
  ofBrowser: readonly string[],
  catalogues: Catalogues = CATALOGUES,
): Promise<PageLanguage> {
  const chosen = chooseLanguage(wish, ofBrowser);
  const load = catalogues[chosen.language];
  try {
    if (load !== undefined) setWords(await load());
    setLanguage(chosen);
    return chosen;
  } catch {
    const english = chooseLanguage("en", ofBrowser);
    setLanguage(english);
    return english;
  }
}
