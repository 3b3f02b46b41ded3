/** Starts jobs in the order of arrival: a fixed number at once, and the same number again after each pause. */
export class Bursts {
  readonly #size: number;
  readonly #pauseMs: number;
  readonly #waiting = new Set<() => void>();
  #left: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(size: number, pauseMs: number) {
    this.#size = size;
    this.#pauseMs = pauseMs;
    this.#left = size;
  }

  add(start: () => void): void {
    this.#waiting.add(start);
    this.#startSome();
  }

  #startSome(): void {
    for (const start of this.#waiting) {
      if (this.#left === 0) break;
      this.#waiting.delete(start);
      this.#left -= 1;
      start();
    }
    if (this.#timer !== null || this.#left === this.#size) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#left = this.#size;
      this.#startSome();
    }, this.#pauseMs);
  }
}
