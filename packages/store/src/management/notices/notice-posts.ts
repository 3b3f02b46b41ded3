import type { NoticePostStore } from "../../port/administration.ts";
import { countRows } from "../count-rows.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { beginMeta, readMeta } from "../meta.ts";
import { type NoticePosition, readPosition } from "./notice-position.ts";
import { settledNotices } from "./notices.ts";

const KEY = "notice_posts";
/** The count stops here. */
const COUNTED = 100_000;

/** One row of `meta`. A write names the value that was read, so of two writes at once one changes nothing. */
export function createNoticePosts({ db, reader }: ManagementContext): NoticePostStore {
  async function read() {
    const text = await readMeta(db, KEY);
    return text === null ? null : { text, ...readPosition(text) };
  }

  async function replace(text: string, position: NoticePosition): Promise<boolean> {
    const row = await db
      .updateTable("meta")
      .set({ value: JSON.stringify(position) })
      .where("key", "=", KEY)
      .where("value", "=", text)
      .returning("key")
      .executeTakeFirst();
    return row !== undefined;
  }

  async function begin(): Promise<void> {
    const settled = await settledNotices(reader);
    const newest = await reader
      .selectFrom("notices")
      .select("no")
      .where("no", "<=", settled)
      .orderBy("no", "desc")
      .limit(1)
      .executeTakeFirst();
    const position: NoticePosition = { after: newest?.no ?? 0, holder: "", until: 0 };
    await beginMeta(db, KEY, JSON.stringify(position));
  }

  return {
    async take(holder, forMs) {
      let found = await read();
      if (found === null) {
        await begin();
        found = await read();
      }
      if (found === null) return null;
      if (found.damaged && (await replace(found.text, found.position))) {
        throw new Error(
          `The position of notice posts was damaged. Posting goes on after notice ${found.position.after}, and some may be posted again.`,
        );
      }
      const now = await databaseNow(reader);
      const { after, holder: last, until } = found.position;
      const ours = last === holder;
      // Further ahead than any right: the clock was set back since.
      const isOver = until <= now || until > now + forMs;
      if (!ours && !isOver) return null;
      // No write for a mere reading.
      if (ours && !isOver && until - now > forMs / 2) return after;
      const taken = await replace(found.text, { after, holder, until: now + forMs });
      return taken ? after : null;
    },

    async advance(holder, no, forMs) {
      const found = await read();
      if (found === null || found.position.holder !== holder) return false;
      const until = (await databaseNow(reader)) + forMs;
      return await replace(found.text, { after: no, holder, until });
    },

    async release(holder) {
      const found = await read();
      if (found === null || found.position.holder !== holder) return;
      await replace(found.text, { ...found.position, until: 0 });
    },

    async lag() {
      const found = await read();
      if (found === null) return null;
      const unposted = reader
        .selectFrom("notices")
        .where("no", ">", found.position.after)
        .select(["no", "created_at"]);
      const count = await countRows(reader, unposted.limit(COUNTED));
      const oldest = await unposted.orderBy("no").limit(1).executeTakeFirst();
      return { unposted: count, oldestAt: oldest?.created_at ?? null };
    },
  };
}
