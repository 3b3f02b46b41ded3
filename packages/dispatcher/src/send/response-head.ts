/** Limits of one exchange, for anything that the receiver sends. */
export const RESPONSE_LIMITS = {
  /** Bytes read from the socket for one exchange. */
  wireBytes: 64 * 1024,
  /** Bytes of one response's status line and headers. */
  headBytes: 16 * 1024,
  headerLines: 100,
  interimResponses: 8,
} as const;

/** A response's status line and headers, and what they say about the body and the connection. */
export interface ResponseHead {
  status: number;
  headers: [string, string][];
  /** Null: none given. */
  contentLength: number | null;
  chunked: boolean;
  keepAlive: boolean;
  /** From `Keep-Alive: timeout=N`. */
  keepAliveSeconds: number | null;
}

export interface HeadFault {
  fault: "invalid_response" | "response_headers_too_large";
  reason: string;
}

const CR_LF = "\r\n";
const SPACE = 32;
const TAB = 9;
const COLON = 58;

const IS_TOKEN = table(
  "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
);

/**
 * Reads a head from its latin1 text, without the last line's CR LF. It is as strict as RFC 9112 allows: a text that two
 * readers could understand in two ways is refused.
 */
export function parseHead(text: string): ResponseHead | HeadFault {
  let lineEnd = text.indexOf(CR_LF);
  if (lineEnd === -1) lineEnd = text.length;
  const minor = text.charCodeAt(7) - 48;
  const status = readStatus(text);
  if (!text.startsWith("HTTP/1.") || (minor !== 0 && minor !== 1) || status === null) {
    return invalid("status line");
  }
  if (lineEnd < 12 || (lineEnd > 12 && text.charCodeAt(12) !== SPACE))
    return invalid("status line");
  if (!isFieldText(text, 12, lineEnd)) return invalid("control character in the status line");

  const head: ResponseHead = {
    status,
    headers: [],
    contentLength: null,
    chunked: false,
    keepAlive: minor === 1,
    keepAliveSeconds: null,
  };
  let reason: string | null = null;
  for (let at = lineEnd + 2; at < text.length; at = lineEnd + 2) {
    if (head.headers.length === RESPONSE_LIMITS.headerLines) return tooLarge();
    lineEnd = text.indexOf(CR_LF, at);
    if (lineEnd === -1) lineEnd = text.length;

    let nameEnd = at;
    while (IS_TOKEN[text.charCodeAt(nameEnd)] === 1) nameEnd += 1;
    // Also refuses a line folded onto the next one, and a space before the colon.
    if (nameEnd === at || text.charCodeAt(nameEnd) !== COLON) return invalid("header name");
    const name = text.slice(at, nameEnd);
    let from = nameEnd + 1;
    let to = lineEnd;
    while (from < to && isBlank(text.charCodeAt(from))) from += 1;
    while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
    if (!isFieldText(text, from, to)) return invalid(`control character in ${name}`);
    const value = text.slice(from, to);
    head.headers.push([name, value]);
    reason = understand(head, name, value);
    if (reason !== null) return invalid(reason);
  }
  if (head.chunked && head.contentLength !== null) {
    return invalid("Content-Length together with Transfer-Encoding");
  }
  if (head.chunked && minor === 0) return invalid("Transfer-Encoding in HTTP/1.0");
  return head;
}

export function tooLarge(): HeadFault {
  return {
    fault: "response_headers_too_large",
    reason: "more than 16 KiB or 100 lines of headers",
  };
}

/** Stores the few headers that say where the body ends. Returns what is wrong with one, or null. */
function understand(head: ResponseHead, name: string, value: string): string | null {
  switch (name.length) {
    case 10:
      readConnection(head, name.toLowerCase(), value);
      return null;
    case 14:
      return name.toLowerCase() === "content-length" ? readContentLength(head, value) : null;
    case 17:
      if (name.toLowerCase() !== "transfer-encoding") return null;
      // Only one coding can be decoded here; any other would mean decompressing.
      if (head.chunked || value.toLowerCase() !== "chunked") return "Transfer-Encoding";
      head.chunked = true;
      return null;
    default:
      return null;
  }
}

function readConnection(head: ResponseHead, name: string, value: string): void {
  if (name === "connection") {
    const options = value.toLowerCase().split(",");
    if (options.some((option) => option.trim() === "close")) head.keepAlive = false;
  } else if (name === "keep-alive") {
    const seconds = /(?:^|[,; \t])timeout=(\d{1,6})(?![^,; \t])/i.exec(value)?.[1];
    if (seconds !== undefined) head.keepAliveSeconds = Number(seconds);
  }
}

function readContentLength(head: ResponseHead, value: string): string | null {
  if (!/^\d{1,15}$/.test(value)) return "Content-Length";
  const length = Number(value);
  if (head.contentLength !== null && head.contentLength !== length) return "two Content-Lengths";
  head.contentLength = length;
  return null;
}

function readStatus(text: string): number | null {
  const hundreds = text.charCodeAt(9) - 48;
  const tens = text.charCodeAt(10) - 48;
  const ones = text.charCodeAt(11) - 48;
  const plain =
    text.charCodeAt(8) === SPACE &&
    hundreds >= 1 &&
    hundreds <= 5 &&
    isDigit(tens) &&
    isDigit(ones);
  return plain ? hundreds * 100 + tens * 10 + ones : null;
}

function isDigit(value: number): boolean {
  return value >= 0 && value <= 9;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/**
 * True without control characters: a CR or LF that stands alone is one, and so are characters that a terminal would
 * obey.
 */
function isFieldText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < SPACE && code !== TAB) || code === 127) return false;
  }
  return true;
}

function invalid(reason: string): HeadFault {
  return { fault: "invalid_response", reason };
}

function table(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}
