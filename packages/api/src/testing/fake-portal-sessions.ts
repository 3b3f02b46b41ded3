import { MarkethookError } from "@markethook/protocol";
import type { PortalSession, PortalSessionStore } from "@markethook/store";
import type { FakeResources } from "./fake-resources.ts";

type Row = PortalSession & {
  lifetimeMs: number;
  codeHash: string | null;
  codeExpiresAt: number;
  tokenHash: string;
};

export interface FakePortalSessions extends PortalSessionStore {
  rows: Map<string, Row>;
  lookUps: number;
}

export function createFakePortalSessions(
  resources: FakeResources,
  now: () => number,
): FakePortalSessions {
  const rows = new Map<string, Row>();
  const isOpen = (row: PortalSession): boolean => row.revokedAt === null && row.expiresAt > now();
  const fake: FakePortalSessions = {
    rows,
    lookUps: 0,
    async create({ codeLifetimeMs, lifetimeMs, longestMs, ...input }) {
      if (
        input.resourceId !== null &&
        resources.rows.get(input.resourceId)?.ownerId !== input.ownerId
      ) {
        throw new MarkethookError("resource_unknown");
      }
      const row: Row = {
        ...input,
        lifetimeMs,
        renewableUntil: now() + Math.max(lifetimeMs, longestMs),
        tokenHash: "",
        createdAt: now(),
        openedAt: null,
        expiresAt: now() + lifetimeMs,
        codeExpiresAt: now() + codeLifetimeMs,
        revokedAt: null,
      };
      rows.set(row.id, row);
      return row;
    },
    async exchange(codeHash, tokenHash) {
      const row = [...rows.values()].find((each) => each.codeHash === codeHash);
      if (row === undefined || !isOpen(row) || row.codeExpiresAt <= now()) return null;
      return Object.assign(row, { codeHash: null, tokenHash, openedAt: now() });
    },
    async renew(id) {
      const row = rows.get(id);
      if (row === undefined || !isOpen(row)) return null;
      row.expiresAt = Math.min(now() + row.lifetimeMs, row.renewableUntil ?? 0);
      return { ...row };
    },
    async findByToken(tokenHash) {
      fake.lookUps += 1;
      const row = [...rows.values()].find((each) => each.tokenHash === tokenHash);
      return row === undefined ? null : { ...row };
    },
    async stillOpen(ids) {
      return ids.filter((id) => {
        const row = rows.get(id);
        return row !== undefined && isOpen(row);
      });
    },
    async list({ ownerId, limit }) {
      return [...rows.values()]
        .filter((row) => isOpen(row) && (ownerId === null || row.ownerId === ownerId))
        .slice(0, limit);
    },
    async revoke(id) {
      const row = rows.get(id);
      if (row === undefined || !isOpen(row)) return false;
      row.revokedAt = now();
      return true;
    },
  };
  return fake;
}
