import { Fifo } from "./fifo.ts";

/** Starts jobs in the order of arrival: a fixed number at once, and the same number again after each pause. */
export class Bursts {
  readonly #size: number;
  readonly #pauseMs: number;
  readonly #waiting = new Fifo<() => void>();
  #left: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(size: number, pauseMs: number) {
    this.#size = size;
    this.#pauseMs = pauseMs;
    this.#left = size;
  }

  add(start: () => void): void {
    this.#waiting.push(start);
    this.#startSome();
  }

  #startSome(): void {
    while (this.#left > 0) {
      const start = this.#waiting.shift();
      if (start === undefined) break;
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
