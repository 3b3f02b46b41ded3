/** One line as a person typed it: no control characters, no space around it. */
export function cleanLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

/** Several lines; forms send CR LF between them. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)\p{Cc}/gu, " ")
    .trim();
}

/** A sentence about the first of these texts that is longer than its limit; null if none is. */
export function tooLong<Name extends string>(
  values: Readonly<Record<Name, string>>,
  limits: Readonly<Record<NoInfer<Name>, number>>,
): string | null {
  // Object.keys loses the key type.
  for (const name of Object.keys(values) as Name[]) {
    const length = [...values[name]].length;
    if (length > limits[name]) {
      return `The ${name} is ${length} characters long; at most ${limits[name]} are allowed.`;
    }
  }
  return null;
}

/** What Markethook takes; longest texts in characters, files in bytes. */
export const LIMITS = {
  version: 100,
  title: 500,
  subtitle: 1000,
  description: 60_000,
  fileType: 32,
  file: 64 * 1024 * 1024,
} as const;
