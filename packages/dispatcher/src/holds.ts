/** Webhooks whose receivers asked to be left alone, and until when. */
export class Holds {
  readonly #until = new Map<number, number>();

  /** The later one counts. */
  add(webhookNo: number, until: number): void {
    this.#until.set(webhookNo, Math.max(this.until(webhookNo), until));
  }

  until(webhookNo: number): number {
    return this.#until.get(webhookNo) ?? 0;
  }

  /** Its owner changed something: what was asked may be of another receiver, or not wanted any more. */
  end(webhookNos: readonly number[]): void {
    for (const no of webhookNos) this.#until.delete(no);
  }

  /** Those that are not over; the others are forgotten. */
  at(now: number): number[] {
    for (const [no, until] of this.#until) if (until <= now) this.#until.delete(no);
    return [...this.#until.keys()];
  }
}
