import type { Socket } from "node:net";

/** Far more than new TLS sessions take. */
const MOST_IDLE_BYTES = 64 * 1024;

/** Owner of connections; it is notified of their end. */
export interface ConnectionHost {
  closed(connection: Connection): void;
  /** The receiver ended a connection that no exchange uses. Called before `closed`. */
  left(connection: Connection): void;
}

/** An open exchange on a connection. */
export interface ConnectionUser {
  onBytes(bytes: Buffer): void;
  /** The receiver ended the connection in order. */
  onEnd(): void;
  /** The connection broke. Null: the system gave no reason. */
  onLost(error: Error | null): void;
}

/**
 * One socket to one origin, for requests of one party, from before it is dialled until it is closed. At any time it is
 * free or used by one exchange. The handlers of its socket are set once and look up its current user.
 */
export class Connection {
  /** Origin and party. */
  readonly key: string;
  readonly origin: string;
  /** The address to which it was dialled; null before that. */
  address: string | null = null;
  /** Null while it is dialled or idle. */
  user: ConnectionUser | null = null;
  closed = false;
  /** Number of requests that were answered on it, after which it was kept. */
  answered = 0;
  /** Answered after this time (monotonic ms), it is not kept. */
  keptUntil = Infinity;
  /** Start of its idle time, and until when it may be kept (monotonic ms). */
  idleSince = -Infinity;
  idleUntil = 0;
  /** `wireBytes` when it became idle. */
  wireBytesBefore = 0;
  /** Used by `IdleConnections`: whether it is in there, and its neighbours. */
  idle = false;
  older: Connection | null = null;
  newer: Connection | null = null;
  readonly #host: ConnectionHost;
  #socket: Socket | null = null;
  /** The socket below TLS; without TLS the same socket. */
  #wire: Socket | null = null;

  constructor(key: string, origin: string, host: ConnectionHost) {
    this.key = key;
    this.origin = origin;
    this.#host = host;
  }

  /** Attaches a socket that is being connected. From now on, closing the connection closes it. */
  attach(socket: Socket): void {
    this.#socket = socket;
    this.#wire ??= socket;
  }

  /** Gives up an address that could not be reached, to try the next one. */
  detach(): void {
    this.#wire?.destroy();
    this.#socket?.destroy();
    this.#wire = null;
    this.#socket = null;
  }

  /** Bytes read from the network since it was dialled, TLS included. */
  get wireBytes(): number {
    return this.#wire?.bytesRead ?? 0;
  }

  /**
   * Whether an idle connection is to be closed. A receiver can send TLS records without data to it, and each costs time to
   * decrypt.
   */
  isOver(now: number): boolean {
    return this.idleUntil <= now || this.wireBytes - this.wireBytesBefore > MOST_IDLE_BYTES;
  }

  get usable(): boolean {
    return !this.closed && this.#socket?.destroyed === false;
  }

  /** True if everything written so far is known to have been handed to the operating system. */
  get flushed(): boolean {
    return this.#socket?.writableLength === 0;
  }

  /**
   * The same, one turn later: with TLS, Node reports a finished write one turn of the event loop late, and a near
   * receiver has replied by then.
   */
  get flushedSoon(): boolean {
    return this.flushed || this.#socket !== this.#wire;
  }

  /** Closes the connection in the next turn of the event loop, unless it is flushed or in use by then. */
  closeUnlessFlushedSoon(): void {
    setImmediate(() => {
      if (this.user === null && !this.flushed) this.close();
    });
  }

  write(text: string): void {
    this.#socket?.write(text);
  }

  receive(bytes: Buffer): void {
    // No request was sent, so the next answer could not be told from these bytes.
    if (this.user === null) this.close();
    else this.user.onBytes(bytes);
  }

  ended(): void {
    if (this.user !== null) this.user.onEnd();
    else if (!this.closed) {
      this.#host.left(this);
      this.close();
    }
  }

  lost(error: Error | null): void {
    const user = this.user;
    if (user === null && !this.closed) this.#host.left(this);
    this.close();
    user?.onLost(error);
  }

  /**
   * Closes at once, with a reset. Bytes on their way from a receiver that floods are dropped, and it cannot go on
   * filling the system's buffers.
   */
  cut(): void {
    const wire = this.#wire;
    // Below TLS the socket does not own its handle any more, and before it is connected a reset would wait for the
    // connection.
    const plain = wire !== null && wire === this.#socket && !wire.connecting;
    if (!this.closed && plain && !wire.destroyed) wire.resetAndDestroy();
    this.close();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.user = null;
    // First, so that with sender threads nobody sees the receiver lose a connection that is still counted.
    this.#host.closed(this);
    this.#socket?.destroy();
    this.#wire?.destroy();
  }
}
