import { DatabaseError } from "pg";

/** Of two transactions that wait for each other the server ends one, so each deadlock lets one go on. */
const MOST_TRIES = 5;

/**
 * Runs a transaction, and again if a deadlock or a serialization failure has undone it. Nothing was changed then, so
 * `work` must not change anything but the database.
 */
export async function repeatUndone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !wasUndone(error)) throw error;
    }
  }
}

function wasUndone(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof DatabaseError && (cause.code === "40001" || cause.code === "40P01");
}
