import { LIMITS, previousVersion, product, updatePayload, userPayload } from "@markethook/protocol";
import type { AcceptRefusal } from "../port/events.ts";
import type { EventRow, ResourceRow } from "./accept-transaction.ts";
import type { Draft } from "./draft.ts";
import { kindOf } from "./kinds.ts";
import { mustGet } from "./must-get.ts";

/** Resources as they stand after each item of the batch, so that updates of one batch chain. */
export class ResourceState {
  readonly owners = new Map<string, string>();
  readonly #rows = new Map<string, ResourceRow>();
  readonly #changed = new Set<string>();

  constructor(rows: readonly ResourceRow[]) {
    for (const row of rows) {
      this.#rows.set(row.id, row);
      this.owners.set(row.id, row.ownerId);
    }
  }

  apply(one: Draft, baseUrl: string): EventRow | AcceptRefusal {
    const { item } = one;
    if (item.resource !== undefined) this.#bring(item.resourceId, item.resource);
    const row = this.#rows.get(item.resourceId);
    if (row === undefined) return "resource_unknown";
    const of = product(baseUrl, row);
    let payload: string;
    if (item.update === undefined) {
      payload = JSON.stringify(userPayload(of, item.userId ?? 0));
    } else {
      const previous = item.previous ?? row.fileVersion;
      if (previous === null || (item.previous === undefined && previous.id === item.update.id)) {
        return "previous_unknown";
      }
      payload = JSON.stringify(updatePayload(of, previous, item.update));
      if (Buffer.byteLength(payload) > LIMITS.eventBytes) return "event_too_large";
      this.#rows.set(row.id, { ...row, fileVersion: previousVersion(item.update) });
      this.#changed.add(row.id);
    }
    return {
      seq: one.seq,
      tag: item.tag,
      resourceId: row.id,
      kind: kindOf(item.name),
      time: item.time,
      userId: item.userId ?? null,
      payload,
      details: item.details ?? null,
    };
  }

  changed(): ResourceRow[] {
    return [...this.#changed].sort().map((id) => mustGet(this.#rows, id));
  }

  #bring(id: string, resource: { title: string; subtitle: string; ownerId: string }): void {
    const row = this.#rows.get(id);
    if (
      row !== undefined &&
      row.title === resource.title &&
      row.subtitle === resource.subtitle &&
      row.ownerId === resource.ownerId
    ) {
      return;
    }
    this.#rows.set(id, { id, fileVersion: row?.fileVersion ?? null, ...resource });
    this.owners.set(id, resource.ownerId);
    this.#changed.add(id);
  }
}
