import {
  type ApiKey,
  type ApiKeyStore,
  type AttemptCount,
  type AttemptCountStore,
  NO_REPLIES,
  type Notice,
  type NoticeStore,
} from "@markethook/store";

export interface FakeApiKeys extends ApiKeyStore {
  rows: Map<string, ApiKey>;
  lookUps: number;
  touched: string[];
}

export function createFakeApiKeys(now: () => number): FakeApiKeys {
  const rows = new Map<string, ApiKey>();
  const fake: FakeApiKeys = {
    rows,
    lookUps: 0,
    touched: [],
    async create({ id, name, scopes, hash, expiresAt, addresses = [] }) {
      const row: ApiKey = {
        id,
        name,
        scopes,
        createdAt: now(),
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
        addresses: [...addresses],
      };
      rows.set(hash, row);
      return row;
    },
    async findByHash(hash) {
      fake.lookUps += 1;
      const row = rows.get(hash);
      // A row read from a database does not change afterwards.
      return row === undefined ? null : { ...row };
    },
    async list() {
      return [...rows.values()];
    },
    async revoke(id, evenLast) {
      const usable = [...rows.values()].filter(({ revokedAt }) => revokedAt === null);
      const row = usable.find((each) => each.id === id);
      if (row === undefined) return "absent";
      const makers = usable.filter(({ scopes }) => scopes.includes("admin"));
      if (!evenLast && makers.length === 1 && makers[0] === row) return "last";
      row.revokedAt = now();
      return "revoked";
    },
    async touch(id) {
      fake.touched.push(id);
    },
  };
  return fake;
}

export interface FakeNotices extends NoticeStore {
  rows: Notice[];
}

export function createFakeNotices(): FakeNotices {
  const rows: Notice[] = [];
  return {
    rows,
    async list(after, limit, ownerId) {
      return rows
        .filter((row) => row.no > after && (ownerId === null || row.ownerId === ownerId))
        .slice(0, limit);
    },
    async newest(limit) {
      return rows.slice(-limit).reverse();
    },
  };
}

export interface FakeAttemptCounts extends AttemptCountStore {
  rows: AttemptCount[];
}

export function createFakeAttemptCounts(): FakeAttemptCounts {
  const rows: AttemptCount[] = [];
  return {
    rows,
    async add(counts) {
      rows.push(...counts);
    },
    async list(webhookNos) {
      return rows.filter((row) => webhookNos.includes(row.webhookNo));
    },
    async sums({ webhookNo }, { firstHour, stepHours, steps }) {
      const shown = rows.filter((row) => webhookNo === null || row.webhookNo === webhookNo);
      const byStep = Map.groupBy(shown, ({ hour }) => Math.floor((hour - firstHour) / stepHours));
      return [...byStep]
        .filter(([step]) => step >= 0 && step < steps)
        .map(([step, some]) => ({
          step,
          ok: some.reduce((sum, { ok }) => sum + ok, 0),
          failed: some.reduce((sum, { failed }) => sum + failed, 0),
          givenUp: some.reduce((sum, { givenUp }) => sum + givenUp, 0),
          replies: NO_REPLIES.map((_, at) =>
            some.reduce((sum, { replies }) => sum + (replies[at] ?? 0), 0),
          ),
        }))
        .sort((one, other) => one.step - other.step);
    },
  };
}
