/** Of repeats: what is reported, and how far they lay apart. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** Of rates over equal portions: what all of them together come to. */
export function harmonicMean(rates: readonly number[]): number {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return {
    median: sorted.length % 2 === 0 ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle)),
    least: at(0),
    most: at(sorted.length - 1),
  };
}
