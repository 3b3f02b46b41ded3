import { LIMITS } from "@markethook/protocol";
import { ByteCollector } from "./byte-collector.ts";
import { CHUNKS_ENDED, CHUNKS_INVALID, ChunkReader } from "./chunk-reader.ts";
import { parseHead, RESPONSE_LIMITS, type ResponseHead, tooLarge } from "./response-head.ts";
import type { FailureCategory } from "./send-result.ts";

/** `more`: not at the end yet; `done`: the response is complete; otherwise the reason why it cannot be completed. */
export type ParserStep = "more" | "done" | FailureCategory;

const LF = 10;
const CR = 13;
const HEAD_END = "\r\n\r\n";
const START = "HTTP/1.";

/**
 * Reads one answer to one POST, piece by piece: any interim responses, then the final one. It does no I/O, keeps no
 * reference to its input, and never needs more memory than the limits allow.
 *
 * States: in a head -> (interim: in the next head) -> in a body of known length, in chunks, or in a body that
 * the connection's end ends -> done. Any fault is final.
 */
export class ResponseParser {
  /** Of the final response. */
  head: ResponseHead | null = null;
  /** For operators, after a fault. */
  reason: string | null = null;
  /** True if bytes came after the response: the connection is out of step. */
  surplus = false;
  #step: ParserStep = "more";
  #interim = 0;
  /** The beginning of an incomplete head. */
  #partial: ByteCollector | null = null;
  #scanned = 0;
  #lines = 0;
  readonly #body = new ByteCollector(LIMITS.storedAnswerBytes);
  /** Body bytes still to come; -1: until the connection ends. */
  #remaining = 0;
  #chunks: ChunkReader | null = null;

  feed(bytes: Buffer): ParserStep {
    let at = 0;
    while (this.#step === "more" && at < bytes.length) {
      if (this.head === null) at = this.#readHead(bytes, at);
      else if (this.#chunks !== null) at = this.#readChunks(this.#chunks, bytes, at);
      else at = this.#readBody(bytes, at);
    }
    if (at < bytes.length) this.surplus = true;
    return this.#step;
  }

  /** The receiver ended the connection. */
  end(): ParserStep {
    if (this.#step === "more") {
      const complete = this.head !== null && this.#chunks === null && this.#remaining === -1;
      this.#step = complete ? "done" : "connection_closed";
      if (!complete) this.reason = this.head === null ? "before an answer" : "in the body";
    }
    return this.#step;
  }

  /** The connection can carry another request. */
  get reusable(): boolean {
    return (
      this.#step === "done" &&
      !this.surplus &&
      this.#remaining === 0 &&
      this.head?.keepAlive === true
    );
  }

  get body(): Buffer {
    return this.#body.bytes;
  }

  get bodyTruncated(): boolean {
    return this.#body.overflowed;
  }

  #readHead(bytes: Buffer, at: number): number {
    if (this.#partial === null) {
      const text = bytes.toString(
        "latin1",
        at,
        Math.min(bytes.length, at + RESPONSE_LIMITS.headBytes),
      );
      const end = text.indexOf(HEAD_END);
      if (end !== -1) {
        this.#takeHead(text.slice(0, end));
        return at + end + HEAD_END.length;
      }
      this.#partial = new ByteCollector(RESPONSE_LIMITS.headBytes);
      this.#scanned = 0;
      this.#lines = 0;
    }
    const partial = this.#partial;
    const before = partial.bytes.length;
    partial.add(bytes, at, bytes.length);
    const end = this.#scanPartial(partial.bytes);
    if (end === -1) {
      if (this.#step === "more" && partial.overflowed) this.#failHead(tooLarge());
      return bytes.length;
    }
    this.#partial = null;
    this.#takeHead(partial.bytes.toString("latin1", 0, end - HEAD_END.length));
    return at + end - before;
  }

  /**
   * Returns the end of the head, or -1. It reads each byte once and detects at once that bytes can never become a head.
   * So a wrong protocol or an endless head does not have to wait for the deadline.
   */
  #scanPartial(bytes: Buffer): number {
    const from = this.#scanned;
    this.#scanned = bytes.length;
    if (
      from < START.length &&
      !START.startsWith(bytes.toString("latin1", 0, Math.min(7, bytes.length)))
    ) {
      this.#fail("invalid_response", "not HTTP/1.x");
      return -1;
    }
    for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
      if (at === 0 || bytes[at - 1] !== CR) {
        this.#fail("invalid_response", "line ended by LF alone");
        return -1;
      }
      if (at >= 3 && bytes[at - 2] === LF) return at + 1;
      this.#lines += 1;
      // The status line is not a header line.
      if (this.#lines > RESPONSE_LIMITS.headerLines + 1) {
        this.#failHead(tooLarge());
        return -1;
      }
    }
    return -1;
  }

  #takeHead(text: string): void {
    const head = parseHead(text);
    if ("fault" in head) this.#failHead(head);
    else if (head.status === 101) this.#fail("invalid_response", "101 without being asked");
    else if (head.status < 200) {
      this.#interim += 1;
      if (this.#interim > RESPONSE_LIMITS.interimResponses) {
        this.#fail("too_many_interim_responses", `more than ${RESPONSE_LIMITS.interimResponses}`);
      }
    } else this.#beginBody(head);
  }

  #beginBody(head: ResponseHead): void {
    this.head = head;
    if (head.status === 204 || head.status === 304) {
      this.#remaining = 0;
      // Some servers send it all the same, perhaps after the next request was written.
      if (head.chunked || (head.contentLength ?? 0) > 0) head.keepAlive = false;
    } else if (head.chunked) this.#chunks = new ChunkReader(this.#body);
    else this.#remaining = head.contentLength ?? -1;
    if (this.#remaining === 0 && this.#chunks === null) this.#step = "done";
  }

  #readBody(bytes: Buffer, at: number): number {
    if (this.#remaining === -1) {
      this.#body.add(bytes, at, bytes.length);
      return bytes.length;
    }
    const to = Math.min(bytes.length, at + this.#remaining);
    this.#body.add(bytes, at, to);
    this.#remaining -= to - at;
    if (this.#remaining === 0) this.#step = "done";
    return to;
  }

  #readChunks(chunks: ChunkReader, bytes: Buffer, at: number): number {
    const next = chunks.read(bytes, at);
    if (chunks.state === CHUNKS_ENDED) this.#step = "done";
    else if (chunks.state === CHUNKS_INVALID) this.#fail("invalid_response", "chunk");
    return next;
  }

  #failHead(fault: { fault: FailureCategory; reason: string }): void {
    this.#fail(fault.fault, fault.reason);
  }

  #fail(category: FailureCategory, reason: string): void {
    this.#step = category;
    this.reason = reason;
  }
}
