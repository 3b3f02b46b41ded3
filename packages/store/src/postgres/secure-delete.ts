import type { Transaction } from "kysely";
import type { Tables } from "../tables.ts";

/** PostgreSQL has no such setting: old versions of rows stay until vacuum frees them and other data use their space. */
export async function overwriting<T>(
  _trx: Transaction<Tables>,
  work: () => Promise<T>,
): Promise<T> {
  return await work();
}

/** All keys are in generations here. */
export async function eraseNewKeys(): Promise<void> {}

/** The log belongs to the whole cluster, its archives and its replicas; the server removes it. */
export async function emptyLog(): Promise<void> {}
