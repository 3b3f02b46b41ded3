export interface OperationExample {
  /** Bodies, by name. */
  requests?: Readonly<Record<string, unknown>>;
  /** Bodies of successes, by status; null where there is none. */
  answers: Readonly<Record<number, unknown>>;
}

/** By the operation's id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** Of a list. */
export function page(...items: readonly unknown[]): {
  items: readonly unknown[];
  nextCursor: null;
} {
  return { items, nextCursor: null };
}
