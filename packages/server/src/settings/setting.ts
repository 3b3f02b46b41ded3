/** One setting: how its text is read, its default, and the sentence that documents it. */
export interface Setting<T, Fallback extends string | null = string | null> {
  name: string;
  /** Default as text; null: none. */
  fallback: Fallback;
  /** Kind of value, in a word or two. */
  kind: string;
  sentence: string;
  secret?: true;
  /** Throws a RangeError with a sentence. */
  read(text: string): T;
}

export function setting<T, Fallback extends string | null>(
  name: string,
  fallback: Fallback,
  kind: string,
  sentence: string,
  read: (text: string) => T,
): Setting<T, Fallback> {
  return { name: `MARKETHOOK_${name}`, fallback, kind, sentence, read };
}

export function secret<T, Fallback extends string | null>(
  of: Setting<T, Fallback>,
): Setting<T, Fallback> {
  return { ...of, secret: true };
}
