import type { HostStore } from "../port/hosts.ts";
import { databaseNow, type ManagementContext } from "./context.ts";

const AT_ONCE = 1000;

export function createHosts({ db, reader }: ManagementContext): HostStore {
  return {
    async confirmed(limit) {
      const rows = await reader
        .selectFrom("confirmed_hosts")
        .select("host")
        .orderBy("confirmed_at", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ host }) => host);
    },
    async confirm(hosts) {
      // Sorted, since two instances may write the same ones.
      const sorted = [...new Set(hosts)].sort();
      for (let at = 0; at < sorted.length; at += AT_ONCE) {
        const confirmed_at = await databaseNow(db);
        await db
          .insertInto("confirmed_hosts")
          .values(sorted.slice(at, at + AT_ONCE).map((host) => ({ host, confirmed_at })))
          .onConflict((conflict) => conflict.column("host").doNothing())
          .execute();
      }
    },
  };
}
