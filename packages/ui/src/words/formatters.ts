import { locale } from "./locale.ts";

/**
 * Formatters of `Intl` for the page's language. To make one takes as long as to use it 60 times, and a list writes
 * thousands of times and numbers every five seconds. So each is made once.
 */
export const relativeTimeFormat = kept(Intl.RelativeTimeFormat);
export const numberFormat = kept(Intl.NumberFormat);
export const listFormat = kept(Intl.ListFormat);
export const pluralRules = kept(Intl.PluralRules);
export const collator = kept(Intl.Collator);

const dateFormats = kept(Intl.DateTimeFormat);

/** A formatter knows the reader's time zone of when it was made: a reader who travels has another one. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dateFormats(options, new Date().getTimezoneOffset());
}

/** A function that answers the same formatter for the same language, options and key. */
function kept<Formatter, Options>(
  Type: new (locale: string, options: Options) => Formatter,
): (options: Options, key?: number) => Formatter {
  const made = new Map<string, Formatter>();
  return (options, key) => {
    const name = JSON.stringify([locale(), options, key]);
    const formatter = made.get(name) ?? new Type(locale(), options);
    made.set(name, formatter);
    return formatter;
  };
}
