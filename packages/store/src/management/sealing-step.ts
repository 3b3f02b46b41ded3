import type { Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import type { ManagementContext } from "./context.ts";

/** One portion of a step after this place, in this transaction. `next` null: the step is at its end. */
export type SealingStep = (
  trx: Transaction<Tables>,
  context: ManagementContext,
  after: Place,
) => Promise<{ examined: number; next: Place | null }>;

/** The last row of the portion before. `hash`: what it was before, of the audit log only. */
export interface Place {
  no: number;
  hash?: string;
}
