import { setTimeout as sleep } from "node:timers/promises";
import type { Notice } from "../port/administration.ts";
import type { World } from "./world.ts";

const PATIENCE_MS = 30_000;
/** More than any test writes. */
const MOST = 1000;

/**
 * What `notices.list` shows once it shows all that is written.
 * It waits for every older transaction, and those of other databases of a PostgreSQL server count as well: of other tests, or of autovacuum.
 */
export async function shownNotices(
  w: World,
  ownerId: string | null,
  { after = 0 } = {},
): Promise<Notice[]> {
  const written = (await w.harness.rows("notices")).filter(
    (row) => Number(row["no"]) > after && (ownerId === null || row["owner_id"] === ownerId),
  ).length;
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const shown = await w.store.notices.list(after, MOST, ownerId);
    if (shown.length === written || Date.now() > deadline) return shown;
    await sleep(5);
  }
}
