import type { Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import { hideInAudit } from "./addresses-in-audit.ts";
import { hideInAttempts, hideInEndedDeliveries, hideInPings } from "./addresses-in-log.ts";
import { sealInWebhooks } from "./addresses-in-webhooks.ts";
import type { ManagementContext } from "./context.ts";
import type { Place, SealingStep } from "./sealing-step.ts";

/** How far a start has come that seals what an earlier version has stored plain. */
export interface SealingProgress {
  step: string;
  /** Rows of this step since this start. */
  examined: number;
}

/** In `meta`: the step and the place, as JSON; written by the migration, and `done` at the end. */
const KEY = "addresses_sealed";
const DONE = "done";

/** Outside of a transaction. */
const LAST = "writing the file again";
const STEPS: readonly { name: string; run: SealingStep }[] = [
  { name: "webhooks", run: sealInWebhooks },
  { name: "ended deliveries", run: hideInEndedDeliveries },
  { name: "attempts", run: hideInAttempts },
  { name: "pings", run: hideInPings },
  { name: "audit log", run: hideInAudit },
];

/**
 * Seals the webhooks' URLs that an earlier version has stored plain, and hides them where they were written down. In
 * portions, each of which commits with its place, so that a killed start goes on where it was. On SQLite the file is
 * written again at the end, because the old texts are still in its free places.
 */
export async function sealAddresses(
  context: ManagementContext,
  onProgress: (progress: SealingProgress) => void = () => undefined,
): Promise<void> {
  const { db, dialect } = context;
  const stored = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", KEY)
    .executeTakeFirst();
  if (stored?.value === DONE) return;
  let examined = 0;
  let before = "";
  for (;;) {
    const portion = await db.transaction().execute(async (trx) => {
      const state = await holdState(trx);
      if (state === null || state.step === LAST) return null;
      const step = STEPS.find(({ name }) => name === state.step);
      if (step === undefined) throw new Error(`there is no step ${state.step}`);
      const done = await step.run(trx, context, state.after);
      const found = state.found || done.examined > 0;
      const after = done.next ?? { no: 0 };
      const next = done.next === null ? following(state.step) : state.step;
      await writeState(trx, { step: next, after, found });
      return { step: state.step, examined: done.examined };
    });
    if (portion === null) break;
    examined = portion.step === before ? examined + portion.examined : portion.examined;
    before = portion.step;
    onProgress({ step: portion.step, examined });
  }
  const end = await db.transaction().execute(holdState);
  if (end?.found === true) {
    onProgress({ step: LAST, examined: 0 });
    await dialect.rewriteFile();
    await dialect.emptyLog();
  }
  await db.updateTable("meta").set({ value: DONE }).where("key", "=", KEY).execute();
}

interface State {
  step: string;
  after: Place;
  /** There was something to seal or to hide: a database is not new. */
  found: boolean;
}

function following(step: string): string {
  return STEPS[STEPS.findIndex(({ name }) => name === step) + 1]?.name ?? LAST;
}

/** Held until the transaction ends: of two that start at once, one goes on where the other was. */
async function holdState(trx: Transaction<Tables>): Promise<State | null> {
  const { value } = await trx
    .updateTable("meta")
    .set((eb) => ({ value: eb.ref("value") }))
    .where("key", "=", KEY)
    .returning("value")
    .executeTakeFirstOrThrow();
  return value === DONE ? null : (JSON.parse(value) as State); // Written below, or by the migration.
}

async function writeState(trx: Transaction<Tables>, state: State): Promise<void> {
  await trx
    .updateTable("meta")
    .set({ value: JSON.stringify(state) })
    .where("key", "=", KEY)
    .execute();
}
