/** Seeds that failed once, on a commit or while the simulation was made, and what they showed. */
export const RECORDED_SEEDS: readonly { seed: number; found: string }[] = [
  { seed: 210, found: "a probe under an instance that has ended is refused by both stores" },
  { seed: 532, found: "what is left for one slow host goes as fast as that host takes it" },
  { seed: 481364250, found: "a late answer for a lease that others have is no step" },
  { seed: 20195, found: "a late answer for a lease that nobody has is no step" },
  { seed: 1116, found: "an answer that was in time, and refused after its instance, is no step" },
  { seed: 1381, found: "what left memory for want of room comes back when there is room" },
  { seed: 2172, found: "a refused connection is an attempt whose failure a kill may lose, too" },
];
