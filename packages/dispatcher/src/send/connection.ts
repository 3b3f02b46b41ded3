import type { Socket } from "node:net";

/** Whoever has an open exchange on a connection. */
export interface ConnectionUser {
  onBytes(bytes: Buffer): void;
  /** The receiver ended the connection in order. */
  onEnd(): void;
  /** The connection broke; null: without the system saying why. */
  onLost(error: Error | null): void;
}

/**
 * One socket to one origin, for requests of one party, from before it is dialled until it is closed; at any time free or used by one
 * exchange. Its socket's handlers are set once and look up who uses it now.
 */
export class Connection {
  /** Origin and party. */
  readonly key: string;
  /** To which it was dialled; null before that. */
  address: string | null = null;
  /** Null while it is dialled or idle. */
  user: ConnectionUser | null = null;
  closed = false;
  /** While idle: since when, and until when it may be kept (monotonic ms). */
  idleSince = 0;
  idleUntil = 0;
  readonly #onClosed: (connection: Connection) => void;
  #socket: Socket | null = null;
  /** Below TLS; the same socket where there is none. */
  #wire: Socket | null = null;

  constructor(key: string, onClosed: (connection: Connection) => void) {
    this.key = key;
    this.#onClosed = onClosed;
  }

  /** A socket that is being connected: closing the connection from now on closes it. */
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

  get usable(): boolean {
    return !this.closed && this.#socket?.destroyed === false;
  }

  /** Everything written so far has been handed to the operating system. */
  get flushed(): boolean {
    return this.#socket?.writableLength === 0;
  }

  write(text: string): void {
    this.#socket?.write(text);
  }

  receive(bytes: Buffer): void {
    // Nothing was asked: whatever this is, the next answer could not be told from it.
    if (this.user === null) this.close();
    else this.user.onBytes(bytes);
  }

  ended(): void {
    const user = this.user;
    if (user === null) this.close();
    else user.onEnd();
  }

  lost(error: Error | null): void {
    const user = this.user;
    this.close();
    user?.onLost(error);
  }

  /**
   * Closes at once, with a reset: what is on its way from a receiver that floods is dropped, and it cannot go on
   * filling the system's buffers.
   */
  cut(): void {
    const wire = this.#wire;
    // Below TLS the socket's handle is not its own any more, and before it is connected a reset would wait for that.
    const plain = wire !== null && wire === this.#socket && !wire.connecting;
    if (!this.closed && plain && !wire.destroyed) wire.resetAndDestroy();
    this.close();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.user = null;
    this.#socket?.destroy();
    this.#wire?.destroy();
    this.#onClosed(this);
  }
}
