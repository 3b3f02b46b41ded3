import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "@markethook/protocol/testing";

/** Statements of the hot path, by a part of their text that no other one has. */
const KINDS = {
  accept: /insert into events\b/,
  claim: /with gone as \(delete from pending/,
  settle: /delete from leased l\s+using/,
  renew: /update instances set renewed_at/,
  mark: /update leased l set started = 1/,
  release: /from leased where instance_no = \$1 and \(seq, lease\) not in/,
} as const;

export type Kind = keyof typeof KINDS;
export const ALL_KINDS = Object.keys(KINDS) as Kind[]; // They are its keys.

export interface LosingProxy {
  /** The database's URL through it. */
  url: string;
  /**
   * The next transaction of this kind is committed and its answer is lost: the connection is silent for so long, then
   * it is reset. Resolves when the commit was lost.
   */
  lose(kind: Kind, silentMs: number): Promise<void>;
  /** Asked for and not lost yet. */
  waiting(): Kind[];
  close(): Promise<void>;
}

interface Order {
  kind: Kind;
  silentMs: number;
  lost(): void;
}

/** Stands between the service and PostgreSQL, and reads enough of their protocol to know when a commit is answered. */
export async function startLosingProxy(databaseUrl: string): Promise<LosingProxy> {
  const target = new URL(databaseUrl);
  const orders: Order[] = [];
  const sockets = new Set<Socket>();

  function serve(client: Socket): void {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    const statements = new Map<string, Kind>();
    let order: Order | null = null;
    let silent = false;

    const fromClient = createFramer(false, (type, body) => {
      if (order !== null) return;
      const kind = type === "B" ? statements.get(boundStatement(body)) : kindOf(body.toString());
      if (type === "P" && kind !== undefined) statements.set(firstText(body), kind);
      if (kind === undefined || (type !== "B" && type !== "Q")) return;
      const at = orders.findIndex((one) => one.kind === kind);
      if (at !== -1) order = orders.splice(at, 1)[0] ?? null;
    });
    client.on("data", (bytes: Buffer) => {
      if (silent) return;
      fromClient(bytes);
      server.write(bytes);
    });

    // What an order is about is passed on answer by answer; the one that ends the transaction is not.
    let group: Buffer[] = [];
    const fromServer = createFramer(true, (type, body, whole) => {
      group.push(whole);
      if (type !== "Z") return;
      const answer = Buffer.concat(group);
      group = [];
      const ended = body.toString() === "I";
      if (order === null || !ended) {
        client.write(answer);
        return;
      }
      silent = true;
      order.lost();
      setTimeout(() => client.resetAndDestroy(), order.silentMs).unref();
    });
    server.on("data", (bytes: Buffer) => {
      if (!silent) fromServer(bytes);
    });
  }

  const listener = createServer(serve);
  const port = await listenOnLoopback(listener);
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url: url.href,
    lose: (kind, silentMs) =>
      new Promise((resolve) => orders.push({ kind, silentMs, lost: resolve })),
    waiting: () => orders.map(({ kind }) => kind),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** Cuts a stream into messages: a letter, four bytes of length, the body. A client's first one has no letter. */
function createFramer(
  hasLetters: boolean,
  each: (type: string, body: Buffer, whole: Buffer) => void,
): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let letter = hasLetters ? 1 : 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= letter + 4) {
      const end = letter + rest.readInt32BE(letter);
      if (rest.length < end) return;
      const type = letter === 1 ? rest.toString("latin1", 0, 1) : "";
      each(type, rest.subarray(letter + 4, end), rest.subarray(0, end));
      rest = rest.subarray(end);
      letter = 1;
    }
  };
}

function firstText(body: Buffer): string {
  return body.toString("utf8", 0, body.indexOf(0));
}

/** A bind names its portal, then its statement. */
function boundStatement(body: Buffer): string {
  return firstText(body.subarray(body.indexOf(0) + 1));
}

function kindOf(text: string): Kind | undefined {
  return ALL_KINDS.find((kind) => KINDS[kind].test(text));
}
