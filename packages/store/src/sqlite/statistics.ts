import { SUSPECT_ALONE_FROM } from "../hot/suspicion.ts";
import type { StoreStatistics } from "../port/administration.ts";
import type { Connection } from "./connection.ts";

const SUSPECTS = `
  select level, sum(count) as count from (
    select suspicion as level, count(*) as count from pending where suspicion > 0 group by suspicion
    union all select suspicion, count(*) from leased where suspicion > 0 group by suspicion
  ) where level > ${SUSPECT_ALONE_FROM} or ? < (select healthy_at from unclean_end)
  group by level order by level`;

/** Whole tables are counted by their pages, which is fast; webhooks by an index. */
export function statistics(db: Connection): StoreStatistics {
  const count = (table: "pending" | "leased" | "instances"): number =>
    Number(db.get(`select count(*) as count from ${table}`)?.["count"]);
  const states = new Map(
    db
      .all("select state, count(*) as count from webhooks where deleted_at is null group by state")
      .map((row) => [row["state"], Number(row["count"])]),
  );
  return {
    pending: count("pending"),
    leased: count("leased"),
    instances: count("instances"),
    webhooks: {
      active: states.get("active") ?? 0,
      paused: states.get("paused") ?? 0,
      disabled: states.get("disabled") ?? 0,
    },
    suspects: db
      .all(SUSPECTS, db.now())
      .map((row) => ({ level: Number(row["level"]), count: Number(row["count"]) })),
    sizeBytes:
      Number(db.get("pragma page_count")?.["page_count"]) *
      Number(db.get("pragma page_size")?.["page_size"]),
  };
}
