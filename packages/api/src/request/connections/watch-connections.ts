import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressGroup, type ConnectionLimits, type CutReason } from "./connection-limits.ts";

/** The answer to the latest request of each socket, finished or not. */
export type LatestAnswers = Pick<WeakMap<Socket, ServerResponse>, "get">;

/** Notes every request before other code sees it. */
export function noteLatestAnswers(server: Server): LatestAnswers {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.prependListener("request", (request, response) => answers.set(request.socket, response));
  return answers;
}

/**
 * Part of a full set of connections that is cut at once, so that a flood does not cost a search for each connection.
 */
const CUT_SHARE = 64;
/** After a search through all proven connections that found none to cut, there is no other one for this long. */
const LOOK_EVERY_MS = 100;
/** A connection that has waited for less than this will most likely be used soon. */
const YOUNG_MS = 1000;

/**
 * - `new`: no request has arrived yet.
 * - `arriving`: the body of a request is on its way.
 * - `unread`: the client has not read what was written to it.
 * - `working`: a request has arrived in full, its answer is being made or sent.
 * - `idle`: the last request was answered.
 */
type ConnectionState = "new" | "arriving" | "unread" | "working" | "idle";

interface Connection {
  socket: Socket;
  group: string;
  /** State at the latest check, and since when. */
  state: ConnectionState;
  answer: ServerResponse | undefined;
  since: number;
}

interface Watch {
  limits: ConnectionLimits;
  latest: LatestAnswers;
  /** Monotonic milliseconds. */
  nowMs: () => number;
  /** Time between checks of all connections. */
  everyMs: number;
  /** How long a request may take to arrive. */
  arrivalMs: number;
  onCut: (reason: CutReason) => void;
}

/** The connections of all clients, or of one address. */
interface Pool {
  limit: number;
  reason: CutReason;
  /** Connections that have not sent a whole request yet, the oldest first. */
  unproven: Set<Connection>;
  proven: Set<Connection>;
  lookAgainAt: number;
}

/**
 * Limits the connections of a server. A new connection is accepted even at the limit; then another one is cut. First
 * the oldest that has not sent a whole request within a second. Then the one that has been idle, unread or half sent
 * for longest, for at least that time. Then the oldest without a whole request, however young. A request that is being
 * processed is never cut. So stalled connections keep no client out, and a client that opens many does not lose them.
 */
export function watchConnections(server: Server, watch: Watch): void {
  const connections = new Connections(watch);
  server.on("connection", (socket: Socket) => connections.add(socket));
  server.once("close", () => connections.stop());
}

class Connections {
  readonly #watch: Watch;
  readonly #all: Pool;
  readonly #groups = new Map<string, Pool>();
  #timer: NodeJS.Timeout | null = null;

  constructor(watch: Watch) {
    this.#watch = watch;
    this.#all = createPool(watch.limits.total, "total_full");
  }

  add(socket: Socket): void {
    const { limits, nowMs, everyMs } = this.#watch;
    const { remoteAddress } = socket;
    // It is closed already.
    if (remoteAddress === undefined) return;
    const group = addressGroup(remoteAddress);
    if (limits.perAddress > 0 && !this.#groups.has(group)) {
      this.#groups.set(group, createPool(limits.perAddress, "address_full"));
    }
    const now = nowMs();
    const connection: Connection = { socket, group, state: "new", answer: undefined, since: now };
    for (const pool of this.#poolsOf(connection)) pool.unproven.add(connection);
    socket.once("close", () => this.#forget(connection));
    for (const pool of this.#poolsOf(connection).reverse()) {
      if (sizeOf(pool) <= pool.limit || this.#makeRoom(pool, connection, now)) continue;
      this.#cut(connection, pool.reason);
      return;
    }
    this.#timer ??= setInterval(() => this.#sweep(), everyMs).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #cut(connection: Connection, reason: CutReason): void {
    this.#forget(connection);
    this.#watch.onCut(reason);
    connection.socket.destroy();
  }

  #poolsOf({ group }: Connection): Pool[] {
    const own = this.#groups.get(group);
    return own === undefined ? [this.#all] : [this.#all, own];
  }

  #forget(connection: Connection): void {
    for (const pool of this.#poolsOf(connection)) {
      pool.unproven.delete(connection);
      pool.proven.delete(connection);
    }
    const own = this.#groups.get(connection.group);
    if (own !== undefined && sizeOf(own) === 0) this.#groups.delete(connection.group);
  }

  #look(connection: Connection, now: number): void {
    const answer = this.#watch.latest.get(connection.socket);
    const state = connectionState(connection.socket, answer);
    if (state === connection.state && answer === connection.answer) return;
    Object.assign(connection, { state, answer, since: now });
  }

  #prove(connection: Connection): void {
    for (const pool of this.#poolsOf(connection)) {
      pool.unproven.delete(connection);
      pool.proven.add(connection);
    }
  }

  /** Null: all have sent a whole request. */
  #oldestUnproven(pool: Pool, newest: Connection, now: number): Connection | null {
    for (const connection of pool.unproven) {
      if (connection === newest) return null;
      this.#look(connection, now);
      if (connection.state === "new" || connection.state === "arriving") return connection;
      this.#prove(connection);
    }
    return null;
  }

  #cutWaiting(pool: Pool, now: number): boolean {
    if (now < pool.lookAgainAt) return false;
    const waiting: Connection[] = [];
    for (const connection of pool.proven) {
      this.#look(connection, now);
      const isYoung = now - connection.since < YOUNG_MS;
      if (connection.state !== "working" && !isYoung) waiting.push(connection);
    }
    waiting.sort((a, b) => a.since - b.since);
    for (const connection of waiting.slice(0, Math.ceil(pool.limit / CUT_SHARE))) {
      this.#cut(connection, pool.reason);
    }
    if (waiting.length === 0) pool.lookAgainAt = now + LOOK_EVERY_MS;
    return waiting.length > 0;
  }

  /** Returns false if no connection may be cut for it. */
  #makeRoom(pool: Pool, newest: Connection, now: number): boolean {
    const oldest = this.#oldestUnproven(pool, newest, now);
    const isYoung = oldest === null || now - oldest.since < YOUNG_MS;
    if (isYoung && this.#cutWaiting(pool, now)) return true;
    if (oldest === null) return false;
    this.#cut(oldest, pool.reason);
    return true;
  }

  #sweep(): void {
    const now = this.#watch.nowMs();
    for (const connection of [...this.#all.unproven, ...this.#all.proven]) {
      this.#look(connection, now);
      const { state, since } = connection;
      if (this.#all.unproven.has(connection) && state !== "new" && state !== "arriving")
        this.#prove(connection);
      const reason = this.#overdue(state, now - since);
      if (reason !== null) this.#cut(connection, reason);
    }
  }

  /** Node ends most of these by itself. The rest are clients that send just enough to look alive. */
  #overdue(state: Connection["state"], ms: number): CutReason | null {
    const { limits, arrivalMs } = this.#watch;
    if (state === "unread") return ms > limits.unreadMs ? "unread" : null;
    if (state === "idle") return ms > limits.idleMs + arrivalMs ? "idle" : null;
    if (state === "working") return null;
    return ms > arrivalMs + limits.graceMs ? "unfinished" : null;
  }
}

function createPool(limit: number, reason: CutReason): Pool {
  return { limit, reason, unproven: new Set(), proven: new Set(), lookAgainAt: -Infinity };
}

function sizeOf({ unproven, proven }: Pool): number {
  return unproven.size + proven.size;
}

function connectionState(socket: Socket, latest: ServerResponse | undefined): ConnectionState {
  if (latest === undefined) return "new";
  if (socket.writableLength > 0) return "unread";
  if (!latest.req.complete) return "arriving";
  return latest.writableFinished ? "idle" : "working";
}
