import { createHmac, timingSafeEqual } from "node:crypto";
import { MarkethookError } from "@markethook/protocol";

const MAC_BYTES = 16;

/** The binding of a cursor: it works with the same list, owner and filter only. */
export interface CursorBinding {
  list: string;
  ownerId: string | null;
  /** All filters of the list; JSON. Undefined members count as absent. */
  filter: unknown;
}

export type Cursors = ReturnType<typeof createCursors>;

/** The page of a list that begins after the cursor's position, or the first one, and the cursor of the next page. */
export function openPage<Position extends number | string>(
  cursors: Cursors,
  binding: CursorBinding,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
) {
  const [after = null] = cursor === undefined ? [] : cursors.read(binding, cursor);
  return {
    limit,
    /** Null: the first page. A cursor of this list has a position of this list. */
    after: after as Position | null,
    /** Null where the list ends with this page. */
    next: (position: Position | null | undefined): string | null =>
      position === null || position === undefined ? null : cursors.write(binding, [position]),
  };
}

/** Opaque to callers: a small JSON value and a MAC over it and its binding, base64url. */
export function createCursors(key: Uint8Array) {
  function mac(binding: CursorBinding, payload: Uint8Array): Buffer {
    const bound = JSON.stringify([binding.list, binding.ownerId, binding.filter]);
    return createHmac("sha256", key)
      .update(`${Buffer.byteLength(bound)}:${bound}`)
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }

  return {
    write(binding: CursorBinding, position: readonly (number | string)[]): string {
      const payload = Buffer.from(JSON.stringify(position));
      return Buffer.concat([payload, mac(binding, payload)]).toString("base64url");
    },
    /** @throws `cursor_invalid` */
    read(binding: CursorBinding, cursor: string): (number | string)[] {
      const bytes = Buffer.from(cursor, "base64url");
      // The decoder skips characters that are no base64url, but a cursor must not have several spellings.
      if (bytes.toString("base64url") !== cursor) throw new MarkethookError("cursor_invalid");
      const payload = bytes.subarray(0, Math.max(0, bytes.length - MAC_BYTES));
      const given = bytes.subarray(payload.length);
      if (given.length !== MAC_BYTES || !timingSafeEqual(given, mac(binding, payload))) {
        throw new MarkethookError("cursor_invalid");
      }
      // The MAC proves that we wrote it.
      return JSON.parse(payload.toString()) as (number | string)[];
    },
  };
}
