/** Reads a setting's text. Throws a RangeError with a sentence. */
export interface Reader<T> {
  (text: string): T;
  /** Kind of value, in a word or two, and its bounds. */
  kind: string;
  secret?: true;
}

/** One setting: its default, the sentence that documents it, and how its text is read. */
export interface Setting<T, Fallback extends string | null = string | null> {
  /** Default as text; null: none. */
  fallback: Fallback;
  sentence: string;
  read: Reader<T>;
}

export function setting<T, Fallback extends string | null>(
  fallback: Fallback,
  sentence: string,
  read: Reader<T>,
): Setting<T, Fallback> {
  return { fallback, sentence, read };
}

export function kind<T>(name: string, read: (text: string) => T): Reader<T> {
  return Object.assign((text: string) => read(text), { kind: name });
}

export function secret<T>(read: Reader<T>): Reader<T> {
  return Object.assign(read, { secret: true } as const);
}

/** Gives each its name, which is its key in capitals: `ownerPings` is `MARKETHOOK_OWNER_PINGS`. */
export function named<Table extends Readonly<Record<string, Setting<unknown>>>>(table: Table) {
  const entries = Object.entries(table).map(([key, each]) => {
    const name = `MARKETHOOK_${key.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
    return [key, { ...each, name }];
  });
  // The same keys, each with its own setting.
  return Object.fromEntries(entries) as {
    readonly [Key in keyof Table]: Table[Key] & { name: string };
  };
}
