/** Reads a setting's text. Throws a RangeError with a sentence. */
export interface Reader<T> {
  (text: string): T;
  /** Kind of value, in a word or two, and its bounds. */
  kind: string;
  secret?: true;
}

/** One setting: its default, the sentence that documents it, and how its text is read. */
export interface Setting<T, Fallback extends string | null = string | null> {
  name: string;
  /** Default as text; null: none. */
  fallback: Fallback;
  sentence: string;
  read: Reader<T>;
}

export function setting<T, Fallback extends string | null>(
  name: string,
  fallback: Fallback,
  sentence: string,
  read: Reader<T>,
): Setting<T, Fallback> {
  return { name: `MARKETHOOK_${name}`, fallback, sentence, read };
}

export function kind<T>(name: string, read: (text: string) => T): Reader<T> {
  return Object.assign((text: string) => read(text), { kind: name });
}

export function secret<T>(read: Reader<T>): Reader<T> {
  return Object.assign(read, { secret: true } as const);
}
