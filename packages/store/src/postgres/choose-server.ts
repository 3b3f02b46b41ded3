import { Client, type ClientConfig } from "pg";

/**
 * A URL may name several servers of one cluster, in libpq's form:
 * `postgresql://user@h1:5432,h2:5432/db?target_session_attrs=read-write`. The one that takes writes is used.
 *
 * unknown --one of them takes writes--> chosen --a connection fails | it refuses a write as read-only--> unknown
 *
 * Connections to a server that is no longer chosen are closed, so that all move after a promotion. While no server takes
 * writes, none is closed: they still read.
 */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;
const ATTRIBUTE = /([?&])target_session_attrs=([^&#]*)&?/;
const TLS_MODE = /([?&]sslmode=)([^&#]*)/;
/** The driver's own mode for each. It checks certificates where libpq only encrypts, and warns of that in eight lines. */
const TLS_MODES: Readonly<Record<string, string>> = {
  disable: "disable",
  "no-verify": "no-verify",
  prefer: "verify-full",
  require: "verify-full",
  "verify-ca": "verify-full",
  "verify-full": "verify-full",
};
const TLS_NAME = /[?&](ssl[^=&#]*)/gi;
/** Each of these turns TLS on or off. The driver ignores names that it does not know, and then encrypts nothing. */
const TLS_SWITCHES: ReadonlySet<string> = new Set([
  "ssl",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslrootcert",
]);
const LOOK_MS = 2000;
/** Time between a question because of a refused write and the next one. */
const ASK_AGAIN_MS = 1000;
/** `read_only_sql_transaction`: the answer of a standby to a write. */
const READ_ONLY = "25006";

/** Returns a URL for each server, and whether they must be asked which of them takes writes. */
export function serverUrls(url: string): { urls: string[]; asks: boolean } {
  const [, before, hosts, after] = PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined)
    throw new RangeError("It is not a URL that starts with postgres:// or postgresql://.");
  const wanted = ATTRIBUTE.exec(after)?.[2];
  if (wanted !== undefined && !["any", "primary", "read-write"].includes(wanted))
    throw new RangeError("target_session_attrs must be read-write: the service writes.");
  const rest = withTlsMode(after.replace(ATTRIBUTE, "$1").replace(/[?&]$/, ""));
  // With a user and without a server, as for a socket, it would be no URL.
  const servers = hosts === "" && before.endsWith("@") ? "localhost" : hosts;
  const urls = servers.split(",").map((host) => `${before}${host}${rest}`);
  if (!urls.every((one) => URL.canParse(one)))
    throw new RangeError(
      "It is not a URL such as postgresql://user@host:5432/database; in a password, / is %2F and # is %23.",
    );
  if (urls.some((connectionString) => faultOf({ connectionString }) instanceof URIError))
    throw new RangeError("In its user, password and database, % is %25.");
  const asks = urls.length > 1 || (wanted !== undefined && wanted !== "any");
  return { urls, asks };
}

/** Folder of the socket by which a server is reached; null: it is reached by TCP. A URL may name it as a parameter, too. */
export function socketFolder(serverUrl: string): string | null {
  const { hostname, searchParams } = new URL(serverUrl);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  return host.startsWith("/") ? host : null;
}

function withTlsMode(rest: string): string {
  const names = [...rest.matchAll(TLS_NAME)].map(([, name = ""]) => name);
  if (names[0] !== undefined && !names.some((name) => TLS_SWITCHES.has(name)))
    throw new RangeError(`${names[0]} turns no TLS on; write sslmode=verify-full.`);
  if (/[?&]uselibpqcompat=true/.test(rest)) return rest;
  return rest.replace(TLS_MODE, (_, name: string, mode: string) => {
    const known = TLS_MODES[mode];
    if (known === undefined)
      throw new RangeError("sslmode must be verify-full, no-verify, disable or require.");
    return `${name}${known}`;
  });
}

interface Server {
  host: string;
  port: number;
}

class Servers {
  readonly urls: string[];
  readonly #asks: boolean;
  readonly #connected = new Map<ServerClient, Server>();
  #chosen: Promise<Server> | null = null;
  #hasAsked = false;

  constructor(url: string) {
    ({ urls: this.urls, asks: this.#asks } = serverUrls(url));
  }

  /** Null: there is only one server, which need not be asked. */
  choose(): Promise<Server> | null {
    if (!this.#asks) return null;
    this.#chosen ??= this.#look();
    return this.#chosen;
  }

  connected(client: ServerClient, server: Server): void {
    this.#connected.set(client, server);
    client.once("end", () => this.#connected.delete(client));
  }

  /** The server could not be reached. */
  lost(): void {
    this.#chosen = null;
  }

  /**
   * Asks in a new session: an open one may have a setting that its role had when it began, or be at a server that has lost
   * its address to another one. If writes are taken there, all sessions that are open now are closed.
   */
  refusedWrite(): void {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    const open = new Set(this.#connected.keys());
    this.#chosen = this.#look();
    this.#chosen
      .then(
        () => this.#cut((client) => open.has(client)),
        () => undefined,
      )
      .finally(() => setTimeout(() => (this.#hasAsked = false), ASK_AGAIN_MS).unref());
  }

  async #look(): Promise<Server> {
    try {
      const server = await Promise.any(this.urls.map(takesWrites));
      this.#cut((_, one) => !isSame(one, server));
      return server;
    } catch (error) {
      this.#chosen = null;
      const reasons = error instanceof AggregateError ? error.errors : [error];
      throw new Error(`no server takes writes: ${reasons.map(messageOf).join("; ")}`, {
        cause: error,
      });
    }
  }

  #cut(which: (client: ServerClient, server: Server) => boolean): void {
    for (const [client, server] of this.#connected) {
      if (!which(client, server)) continue;
      this.#connected.delete(client);
      // A pool notices it at once, and gives the connection to no caller.
      if (client.listenerCount("error") > 0)
        client.emit("error", new Error("another server writes"));
      wireOf(client).destroy();
    }
  }
}

/** By URL, so that every pool of a process uses the result of any of them. */
const known = new Map<string, Servers>();

function serversOf(url: string): Servers {
  const servers = known.get(url) ?? new Servers(url);
  known.set(url, servers);
  return servers;
}

/** Why the driver can make no client of this: it reads the files of certificates, which a URL may name, at once. */
function faultOf(config: ClientConfig): Error | null {
  try {
    void new Client(config);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Opens a connection to the server that takes writes. */
export class ServerClient extends Client {
  readonly #servers: Servers;
  /** Told when it connects: a pool makes clients where nobody would hear it. */
  readonly #fault: Error | null;

  constructor(config: ClientConfig = {}) {
    const servers = serversOf(config.connectionString ?? "");
    const ours = { ...config, connectionString: servers.urls[0] };
    const fault = faultOf(ours);
    super(fault === null ? ours : { ...ours, connectionString: undefined });
    this.#servers = servers;
    this.#fault = fault;
  }

  // One of the two overloads.
  override connect = ((done?: (error?: Error) => void): unknown => {
    if (done === undefined) {
      return new Promise<void>((resolve, reject) => {
        this.connect((error?: Error | null) => {
          if (error) reject(error);
          else resolve();
        });
      });
    }
    const choosing = this.#fault === null ? this.#servers.choose() : Promise.reject(this.#fault);
    if (choosing === null) this.#connectTo({ host: this.host, port: this.port }, done);
    else choosing.then((server) => this.#connectTo(server, done), done);
    return undefined;
  }) as Client["connect"];

  #connectTo(server: Server, done: (error?: Error) => void): void {
    Object.assign(this, server);
    super.connect((error?: Error | null) => {
      if (error) {
        this.#servers.lost();
        done(error);
        return;
      }
      this.#servers.connected(this, server);
      wireOf(this).onRefusedWrite(() => this.#servers.refusedWrite());
      done();
    });
  }
}

/** Not part of the driver's types. */
function wireOf(client: Client) {
  const { connection } = client as unknown as {
    connection: {
      stream: { destroy(): void };
      on(event: "errorMessage", listener: (error: { code?: string }) => void): void;
    };
  };
  return {
    destroy: () => connection.stream.destroy(),
    // Its statement sees the error first.
    onRefusedWrite: (heard: () => void) =>
      connection.on("errorMessage", ({ code }) => {
        if (code === READ_ONLY) setImmediate(heard);
      }),
  };
}

async function takesWrites(url: string): Promise<Server> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: LOOK_MS,
    query_timeout: LOOK_MS,
    application_name: "markethook look",
  });
  client.on("error", () => undefined);
  const { host, port } = client;
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>(
      "show transaction_read_only",
    );
    if (rows[0]?.transaction_read_only !== "off") throw new Error("is read-only");
    return { host, port };
  } catch (error) {
    throw new Error(`${host}:${port}: ${messageOf(error)}`, { cause: error });
  } finally {
    client.end().catch(() => undefined);
  }
}

function isSame(one: Server, other: Server): boolean {
  return one.host === other.host && one.port === other.port;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
