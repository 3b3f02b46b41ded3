import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deliveryId, eventId } from "@markethook/protocol";
import { askInOneSession } from "@markethook/store/testing/postgres";
import type { Campaign } from "./kill-campaign.ts";

type Beside = Pick<Campaign, "leased" | "unended" | "endedDead">;
type Rows = Record<string, unknown>[];

const UNENDED = `select d.seq, e.tag from (select seq, event_seq from leased union all select seq, event_seq from pending) d
  join events e on e.seq = d.event_seq`;
const DEAD = `select e.seq, e.tag, w.id from ended d join events e on e.seq = d.event_seq
  join webhooks w on w.no = d.webhook_no where d.state <> 0`;

/** Reads the SQLite file next to the service. Every lease is of the one process. */
export function besideSqlite(folder: string): Beside {
  const read = (sql: string): Rows => {
    const db = new DatabaseSync(join(folder, "markethook.sqlite"), { timeout: 2000 });
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  };
  return beside(
    async (sql) => read(sql),
    () => "",
  );
}

/** Reads PostgreSQL next to the service; an instance's name ends in its process id. */
export function besidePostgres(url: string): Beside {
  return beside(
    askInOneSession(url),
    (pid) => `join instances i on i.instance_no = l.instance_no where i.name like '%:${pid}'`,
  );
}

function beside(read: (sql: string) => Promise<Rows>, ofProcess: (pid: number) => string): Beside {
  const ids = async (sql: string): Promise<Set<string>> =>
    new Set(
      (await read(sql)).map(({ seq, tag }) => deliveryId({ seq: Number(seq), tag: String(tag) })),
    );
  return {
    leased: (pid) =>
      ids(
        `select l.seq, e.tag from leased l join events e on e.seq = l.event_seq ${ofProcess(pid)}`,
      ),
    unended: () => ids(UNENDED),
    async endedDead() {
      const rows = await read(DEAD);
      return new Set(
        rows.map(
          ({ seq, tag, id }) => `${eventId({ seq: Number(seq), tag: String(tag) })} ${String(id)}`,
        ),
      );
    },
  };
}
