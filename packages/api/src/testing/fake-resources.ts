import type { Resource, ResourceStore } from "@markethook/store";

/** Just good enough for route tests. */
export interface FakeResources extends ResourceStore {
  rows: Map<string, Resource>;
}

export function createFakeResources(now: () => number): FakeResources {
  const rows = new Map<string, Resource>();
  return {
    rows,
    async put(inputs) {
      return inputs.map((input) => {
        const before = rows.get(input.id);
        rows.set(input.id, {
          id: input.id,
          ownerId: input.ownerId,
          title: input.title,
          subtitle: input.subtitle ?? before?.subtitle ?? "",
          fileVersion: input.fileVersion ?? before?.fileVersion ?? null,
          createdAt: before?.createdAt ?? now(),
          updatedAt: now(),
        });
        return before === undefined ? "created" : "updated";
      });
    },
    async find(id) {
      return rows.get(id) ?? null;
    },
    async list({ ownerId, afterId, limit }) {
      return [...rows.values()]
        .filter((row) => ownerId === undefined || row.ownerId === ownerId)
        .filter((row) => afterId === undefined || row.id > afterId)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit);
    },
    async delete(id) {
      return rows.delete(id);
    },
  };
}
