/** One reading of the figures that the operator's page draws over time. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
}

const SPAN_MS = 900_000;
/** The page reads every two seconds. In a longer gap, readings are missing: it was hidden, or the service was away. */
const GAP_MS = 10_000;

/** The readings of the last quarter of an hour, oldest first. After the reader's clock was set back they begin again. */
export function withSample<S extends Sample>(samples: readonly S[], sample: S): readonly S[] {
  return [...samples, sample].filter(({ at }) => at > sample.at - SPAN_MS && at <= sample.at);
}

/**
 * A line through the readings, in milliseconds from the first and in percent of the largest value from above. It is broken
 * where readings are missing.
 */
export function lineOf<S extends Sample>(
  samples: readonly S[],
  valueOf: (sample: S) => number,
): string {
  const begin = samples[0]?.at ?? 0;
  const most = Math.max(...samples.map(valueOf));
  return samples
    .map((sample, index) => {
      const before = samples[index - 1]?.at ?? -Infinity;
      const height = most === 0 ? 100 : 100 - (valueOf(sample) / most) * 100;
      const place = `${sample.at - begin} ${height}`;
      // A reading alone is drawn as a short level.
      return sample.at - before > GAP_MS ? `M${place} h1` : `L${place}`;
    })
    .join(" ");
}
