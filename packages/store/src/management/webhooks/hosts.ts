import type { HostStore } from "../../port/hosts.ts";
import { databaseNow, type ManagementContext } from "../context.ts";

const AT_ONCE = 1000;
const KEPT_MS = 30 * 24 * 3_600_000;

export function createHosts({ db, reader }: ManagementContext): HostStore {
  return {
    async confirmed(limit) {
      return await reader
        .selectFrom("confirmed_addresses")
        .select(["host", "address"])
        .orderBy("confirmed_at", "desc")
        .limit(limit)
        .execute();
    },
    async confirm(addresses) {
      // Sorted and once each, because two instances may write the same ones.
      const sorted = [...new Map(addresses.map((one) => [`${one.host} ${one.address}`, one]))]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, one]) => one);
      if (sorted.length === 0) return;
      const confirmed_at = await databaseNow(db);
      for (let at = 0; at < sorted.length; at += AT_ONCE) {
        const rows = sorted.slice(at, at + AT_ONCE);
        await db
          .insertInto("confirmed_addresses")
          .values(rows.map(({ host, address }) => ({ host, address, confirmed_at })))
          .onConflict((conflict) =>
            conflict.columns(["host", "address"]).doUpdateSet({ confirmed_at }),
          )
          .execute();
      }
      await db
        .deleteFrom("confirmed_addresses")
        .where("confirmed_at", "<", confirmed_at - KEPT_MS)
        .execute();
    },
  };
}
