import assert from "node:assert/strict";

export function only<T>(values: readonly T[]): T {
  assert.equal(values.length, 1, `expected one, got ${values.length}`);
  return values[0] as T; // The length was just checked.
}

/** The work fails with this code. */
export async function refused(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, { code });
}

/** For `assert.rejects`. */
export function withCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof Error && "code" in error && error.code === code;
}
