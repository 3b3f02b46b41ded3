import type { Seal } from "../../packages/store/src/seal.ts";

/** Seals nothing: a real one is another text each time. */
export const OPEN_SEAL: Seal = {
  seal: (plain) => plain,
  open: (sealed) => sealed,
  isCurrent: () => true,
};
