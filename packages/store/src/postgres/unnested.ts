/**
 * Arrays, the parameters from `$1` on, as columns of a select list. There each value goes straight into its row;
 * `from unnest(…)` stores every array as rows first, up to a tenth of what inserting them takes. The arrays are of one
 * length: a shorter one is filled up with nulls.
 */
export function unnested(...types: readonly string[]): string {
  return types.map((type, index) => `unnest($${index + 1}::${type}[])`).join(", ");
}
