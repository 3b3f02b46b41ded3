import { type RenderedRequest, requestText } from "@markethook/protocol";
import type { CertificateFacts, Timings } from "@markethook/store";

import { categoryOf, describe } from "./connect-error.ts";
import type { Connection, ConnectionUser } from "./connection.ts";
import { RESPONSE_LIMITS, type ResponseHead } from "./response-head.ts";
import { type ParserStep, ResponseParser } from "./response-parser.ts";
import type { FailureCategory, SendResult } from "./send-result.ts";

const NO_BODY = Buffer.alloc(0);
/** A chain of certificates may have 100 kB. */
const HANDSHAKE_BYTES = 256 * 1024;

/** The part of the sender that an exchange uses. */
export interface ExchangeHost {
  now: () => number;
  /** The exchange is over, and its connection freed or closed. */
  ended(exchange: Exchange): void;
  /**
   * The connection can carry another request, now or from the next turn of the event loop on. `answer`: what the receiver
   * said about keeping it; null: no request was written.
   */
  freed(connection: Connection, answer: Pick<ResponseHead, "keepAliveSeconds"> | null): void;
  /** A kept connection turned out to be closed only after the request was written. */
  lostKept(connection: Connection): void;
}

export interface RequestOwner {
  /**
   * Asked at the last moment before the request is handed to the socket. False ends it as `lease_lost`; then nothing is
   * sent.
   */
  mayWrite(): boolean;
  /** Called once, however it ends; must not throw. */
  ended(result: SendResult): void;
  /** Whether it may go to this address now. Left out: it may go to any address of its name. */
  mayReach?(address: string): boolean;
  /** Called with the addresses of a name before `mayReach` is asked about them. Left out: `mayReach` knows at once. */
  confirm?(addresses: readonly string[]): Promise<void>;
  /** The instance that `mayWrite` asks about; a sender in another thread reads its right from shared memory instead. */
  instanceNo?: number;
  /**
   * Kept connections are shared only by requests of the same party. Otherwise a receiver could send a second answer
   * after the first, which would be read as the answer to another party's request. Left out: shared with all requests
   * without a party.
   */
  party?: string;
}

/** An owner that throws is treated as one that says no. */
export function mayWrite(owner: Pick<RequestOwner, "mayWrite">): boolean {
  try {
    return owner.mayWrite();
  } catch {
    return false;
  }
}

/**
 * One request and its answer. They have one deadline, which the receiver cannot move.
 *
 * States: waiting for a connection -> written -> ended. It ends exactly once, by the first of these: an answer, a fault
 * of the connection, a limit, the deadline, or the closing of the sender.
 */
export class Exchange implements ConnectionUser {
  readonly url: string;
  readonly party: string;
  readonly deadline: number;
  readonly timings: Timings = {
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
    totalMs: 0,
  };
  reusedConnection = false;
  ended = false;
  readonly #host: ExchangeHost;
  readonly #owner: RequestOwner;
  /** Null once it is written: a sent request must not stay in memory until it is answered. */
  #request: RenderedRequest | null;
  readonly #startedAt: number;
  #writtenAt = 0;
  #sent = false;
  #connection: Connection | null = null;
  /** Bytes that the connection had read before this exchange. */
  #wireBefore = 0;
  #parser: ResponseParser | null = null;
  #cutShort = false;

  constructor(host: ExchangeHost, request: RenderedRequest, owner: RequestOwner, limitMs: number) {
    this.#host = host;
    this.url = request.url;
    this.party = owner.party ?? "";
    this.#request = request;
    this.#owner = owner;
    this.#startedAt = host.now();
    this.deadline = this.#startedAt + limitMs;
  }

  /** The connection on which it is dialled or sent; closed with the exchange unless it ended well. */
  hold(connection: Connection): void {
    this.#connection = connection;
  }

  mayReach(address: string | null): boolean {
    const owner = this.#owner;
    return owner.mayReach === undefined || (address !== null && owner.mayReach(address));
  }

  async confirm(addresses: readonly string[]): Promise<void> {
    await this.#owner.confirm?.(addresses);
  }

  /** Writes the request, if it still may be written. The connection has to be usable. */
  start(connection: Connection): void {
    this.#connection = connection;
    const request = this.#request;
    if (request === null || !mayWrite(this.#owner)) {
      this.#end("lease_lost", null, true);
      return;
    }
    this.#request = null;
    this.#wireBefore = connection.wireBytes;
    connection.user = this;
    this.#sent = true;
    connection.write(requestText(request));
    this.#writtenAt = this.#host.now();
  }

  onBytes(bytes: Buffer): void {
    const connection = this.#connection;
    if (!this.#sent || connection === null) return;
    const parser = this.#reading();
    this.timings.firstByteMs ??= this.#host.now() - this.#writtenAt;
    const over = connection.wireBytes - this.#wireBefore - RESPONSE_LIMITS.wireBytes;
    const step = parser.feed(
      over > 0 ? bytes.subarray(0, Math.max(0, bytes.length - over)) : bytes,
    );
    if (step !== "more") this.#endWith(step, parser);
    else if (over > 0) this.#endTooLong(parser);
  }

  onEnd(): void {
    this.#noteLoss();
    if (!this.#sent) return;
    const parser = this.#reading();
    this.#endWith(parser.end(), parser);
  }

  onLost(error: Error | null): void {
    this.#noteLoss();
    this.#end(categoryOf(error, "exchange"), describe(error), false);
  }

  /** Checked every few milliseconds: limits that an exchange would not notice from arriving bytes. */
  check(now: number): void {
    if (now >= this.deadline) {
      const answer = this.#parser?.head == null ? "no complete answer" : "no end of the body";
      this.fail("timeout", this.#sent ? answer : "no connection");
    } else if (this.#connection === null) return;
    else if (this.#sent) {
      // A receiver can send TLS records without a byte of an answer.
      const read = this.#connection.wireBytes - this.#wireBefore;
      if (read > RESPONSE_LIMITS.wireBytes) this.#endTooLong(this.#reading());
    } else if (this.#connection.answered === 0 && this.#connection.wireBytes > HANDSHAKE_BYTES) {
      // Or messages that a handshake passes over, each of which costs time.
      this.fail("tls_failure", "TLS: 256 KiB without an end of the handshake");
    }
  }

  fail(category: FailureCategory, detail: string | null, certificate?: CertificateFacts): void {
    this.#end(category, detail, false, certificate);
  }

  #reading(): ResponseParser {
    return (this.#parser ??= new ResponseParser());
  }

  #noteLoss(): void {
    if (this.reusedConnection && this.timings.firstByteMs === null && this.#connection !== null) {
      this.#host.lostKept(this.#connection);
    }
  }

  #endWith(step: ParserStep, parser: ResponseParser): void {
    if (step === "done") this.#end(null, null, parser.reusable);
    else if (step !== "more") this.#end(step, parser.reason, false);
  }

  #endTooLong(parser: ResponseParser): void {
    if (parser.head === null) {
      this.#end("response_headers_too_large", "64 KiB without a final answer", false);
      return;
    }
    this.#cutShort = true;
    this.#end(null, "only the first 64 KiB of the answer were read", false);
  }

  #end(
    category: FailureCategory | null,
    detail: string | null,
    reusable: boolean,
    certificate?: CertificateFacts,
  ): void {
    if (this.ended) return;
    this.ended = true;
    const parser = this.#parser;
    const connection = this.#connection;
    // An exchange is in the old generation by now, and would move young objects there too.
    this.#parser = null;
    this.#connection = null;
    this.timings.totalMs = this.#host.now() - this.#startedAt;
    const address = connection?.address ?? null;
    if (connection !== null) {
      connection.user = null;
      if (reusable && connection.flushedSoon) {
        this.#host.freed(connection, parser?.head ?? null);
      } else if (category !== null || this.#cutShort) connection.cut();
      else connection.close();
    }
    this.#host.ended(this);
    this.#owner.ended({
      status: parser?.head?.status ?? null,
      category,
      detail,
      ...(certificate === undefined ? {} : { certificate }),
      sent: this.#sent,
      headers: parser?.head?.headers ?? [],
      body: parser?.body ?? NO_BODY,
      bodyTruncated: this.#cutShort || parser?.bodyTruncated === true,
      timings: this.timings,
      reusedConnection: this.reusedConnection,
      address,
    });
  }
}
