/** Hashed for one request at most: as much as verifying the largest body under two secrets takes. */
const HASHED_BYTES = 4 * 1024 * 1024;

/** A forger chooses body and headers, so what the search for causes may do for one request is bounded. */
export class SearchBudget {
  #left = HASHED_BYTES;
  /** Whether some fault was not looked for. */
  isIncomplete = false;

  /** False where there is not enough left to hash so many bytes. */
  take(bytes: number): boolean {
    if (bytes > this.#left) {
      this.isIncomplete = true;
      return false;
    }
    this.#left -= bytes;
    return true;
  }
}
