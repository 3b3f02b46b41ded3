/**
 * Makes columns of a select list from arrays, the parameters from `$1` on. There each value goes directly into its row.
 * `from unnest(…)` stores every array as rows first, which costs up to a tenth of the insert. The arrays have one
 * length: a shorter one is filled up with nulls.
 */
export function unnested(...types: readonly string[]): string {
  return types.map((type, index) => `unnest($${index + 1}::${type}[])`).join(", ");
}
