import type { Kysely } from "kysely";
import type { AttemptRecord } from "../../port/deliveries.ts";
import { NEWEST_ATTEMPTS } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { padded } from "../padded.ts";

/**
 * The newest attempts of these deliveries, by number. The first attempt of most deliveries ends them; it is stored in the
 * row of `ended` itself.
 */
export async function newestAttempts(
  db: Kysely<Tables>,
  seqs: readonly number[],
): Promise<(AttemptRecord & { seq: number })[]> {
  if (seqs.length === 0) return [];
  const folded = db
    .selectFrom("ended")
    .select(({ cast, fn, lit, val }) => [
      "seq",
      cast<number>(lit(1), "integer").as("number"),
      fn.coalesce("outcome", val("")).as("outcome"),
      "status",
      "first_attempt as detail",
    ])
    .where("seq", "in", padded(seqs))
    .where("first_attempt", "is not", null)
    .$narrowType<{ detail: string }>();
  const apart = db
    .selectFrom("attempts as a")
    .select(["a.delivery_seq as seq", "a.number", "a.outcome", "a.status", "a.detail"])
    .where("a.delivery_seq", "in", padded(seqs))
    .where(({ eb, selectFrom }) =>
      eb(
        "a.number",
        ">",
        selectFrom("attempts as newest")
          .select(({ fn, val }) =>
            eb(fn.max("newest.number"), "-", val(NEWEST_ATTEMPTS)).as("before"),
          )
          .whereRef("newest.delivery_seq", "=", "a.delivery_seq"),
      ),
    );
  return await folded.unionAll(apart).orderBy("number").execute();
}
