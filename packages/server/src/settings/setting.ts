/** One setting: how its text is read, its default, and the sentence that documents it. */
export interface Setting<T, Fallback extends string | null = string | null> {
  name: string;
  /** Default as text; null: none. */
  fallback: Fallback;
  /** Kind of value, in a word or two, and its bounds. */
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
  read: ((text: string) => T) & { bounds?: string },
): Setting<T, Fallback> {
  const described = read.bounds === undefined ? kind : `${kind}, ${read.bounds}`;
  return { name: `MARKETHOOK_${name}`, fallback, kind: described, sentence, read };
}

export function secret<T, Fallback extends string | null>(
  of: Setting<T, Fallback>,
): Setting<T, Fallback> {
  return { ...of, secret: true };
}
