/** The languages of the pages. A language stands here only when its catalogue is complete, which the compiler checks. */
const LANGUAGES = ["en", "de"] as const;

export type Language = (typeof LANGUAGES)[number];

/** A language, and how a reader of it writes numbers and dates: `de-AT` for German in Austria. */
export interface PageLanguage {
  language: Language;
  locale: string;
}

let current: PageLanguage = { language: "en", locale: "en" };

export function language(): Language {
  return current.language;
}

/** For `Intl`. */
export function locale(): string {
  return current.locale;
}

export function setLanguage(chosen: PageLanguage): void {
  current = chosen;
}

/** The language that is asked for, else the first of the browser's that the pages have, else English. */
export function chooseLanguage(wish: string | null, ofBrowser: readonly string[]): PageLanguage {
  const asked = LANGUAGES.find((one) => one === wish);
  const usable = ofBrowser.filter(isLocale);
  const chosen = asked ?? usable.map(languageOf).find((one) => one !== undefined) ?? "en";
  return {
    language: chosen,
    locale: usable.find((one) => languageOf(one) === chosen) ?? chosen,
  };
}

function languageOf(tag: string): Language | undefined {
  const [first] = tag.toLowerCase().split("-");
  return LANGUAGES.find((one) => one === first);
}

/** A browser can name one that `Intl` refuses, as Chromium does with the system's `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
