/** A stream of choices that the seed and the request's number decide, so that a request can be made again. */
export interface Random {
  /** An integer of 0 up to, not including, `below`. */
  int(below: number): number;
  /** True once in `every` times. */
  once(every: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): Buffer;
}

export function createRandom(seed: number, index: number): Random {
  // Two rounds of mixing, so that neighbours have nothing in common; then mulberry32.
  let state = mix(mix(seed | 0) ^ Math.imul(index, 0x9e3779b1));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) >>> 0;
  };
  const int = (below: number): number => next() % below;
  return {
    int,
    once: (every) => int(every) === 0,
    pick(list) {
      const chosen = list[int(list.length)];
      if (chosen === undefined && list.length === 0) throw new Error("nothing to pick from");
      return chosen as (typeof list)[number]; // The index is within the list.
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}

function mix(value: number): number {
  let a = value;
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b);
  a = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return a ^ (a >>> 16);
}
