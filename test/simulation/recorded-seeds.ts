/** Seeds that failed once, on a commit or while the simulation was made, and what they showed. */
export const RECORDED_SEEDS: readonly { seed: number; found: string }[] = [
  { seed: 210, found: "a probe under a life that has ended is refused by both stores" },
  { seed: 532, found: "what is left for one slow host goes as fast as that host takes it" },
];
