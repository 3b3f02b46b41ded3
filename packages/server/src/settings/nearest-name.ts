/** Returns the name that was probably meant, or null if none is near: a typing error, or words left out or swapped. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const name of names) {
    const steps = Math.min(distance(given, name), distance(inOrder(given), inOrder(name)) + 1);
    const near = steps <= Math.floor(Math.max(given.length, name.length) / 3);
    // A short form, such as DB_URL for DATABASE_URL, is near, but not as near as a typing error.
    const cost = near
      ? steps
      : isShortOf(given, name) || isShortOf(name, given)
        ? 100 + name.length
        : Infinity;
    if (cost >= least) continue;
    least = cost;
    best = name;
  }
  return best;
}

/** Returns how many letters must be changed, added, left out, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min(at(last, j - 1) + (same ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, at(before, j - 2) + 1);
      }
      row.push(steps);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

function inOrder(name: string): string {
  return name.split("_").sort().join("_");
}

/** True if each word begins like the word of the other, and has its letters in the same order. */
function isShortOf(given: string, name: string): boolean {
  const shorts = given.split("_");
  const words = name.split("_");
  return (
    shorts.length === words.length &&
    shorts.every((short, index) => {
      const word = words[index] ?? "";
      let found = 0;
      for (const letter of word) if (letter === short[found]) found += 1;
      return short.length > 0 && word[0] === short[0] && found === short.length;
    })
  );
}
