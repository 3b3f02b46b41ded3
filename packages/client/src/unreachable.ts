import { UnreachableError, type UnreachableReason } from "./errors.ts";

interface Meaning {
  reason: UnreachableReason;
  sentence: string;
  /** Whether the request can have been sent before it went wrong. */
  late: boolean;
}

const refused = early(
  "refused",
  "nothing listens there. Is the service running, is the port right?",
);
const unknownName = early(
  "name_unknown",
  "the host's name is not known. Check baseUrl and the DNS.",
);
const noRoute = early("no_route", "there is no way to that network address.");
const slowConnect = early(
  "timeout",
  "the connection was not made in time. A firewall may drop it.",
);
const dropped: Meaning = {
  reason: "dropped",
  sentence: "the connection was closed before an answer came.",
  late: true,
};

/** By the codes that Node's fetch puts into the cause of its errors. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: refused,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  UND_ERR_CONNECT_TIMEOUT: slowConnect,
  ECONNRESET: dropped,
  EPIPE: dropped,
  ETIMEDOUT: dropped,
  UND_ERR_SOCKET: dropped,
};

const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/** In plain words, why no answer came from there. */
export function explainUnreachable(origin: string, error: unknown): UnreachableError {
  const code = findCode(error);
  const meaning = code === null ? undefined : MEANINGS[code];
  const because = { cause: error };
  if (meaning !== undefined) {
    const text = `${origin} cannot be reached: ${meaning.sentence} [${code}]`;
    return new UnreachableError(text, meaning.reason, meaning.late, because);
  }
  if (code !== null && TLS.test(code)) {
    const text = `${origin} cannot be reached: TLS failed. Check the certificate, and that the port speaks TLS. [${code}]`;
    return new UnreachableError(text, "tls", false, because);
  }
  const text = `${origin} cannot be reached: ${innermostMessage(error)}.${code === null ? "" : ` [${code}]`}`;
  return new UnreachableError(text, "network", true, because);
}

export function timedOut(origin: string, timeoutMs: number, cause: unknown): UnreachableError {
  const text = `${origin} did not answer within ${timeoutMs} ms. It may have got the request all the same.`;
  return new UnreachableError(text, "timeout", true, { cause });
}

/** The function that gives the API key has not answered. */
export function keyTimedOut(timeoutMs: number, cause: unknown): UnreachableError {
  const text = `apiKey gave no key within ${timeoutMs} ms, so nothing was sent.`;
  return new UnreachableError(text, "timeout", false, { cause });
}

/** The same where an earlier try may have got there, although the last one did not. */
export function arrived({ message, reason, cause }: UnreachableError): UnreachableError {
  return new UnreachableError(message, reason, true, { cause });
}

function early(reason: UnreachableReason, sentence: string): Meaning {
  return { reason, sentence, late: false };
}

/** The innermost code: the outer errors only say that fetching failed. */
function findCode(error: unknown): string | null {
  const codes = causesOf(error).map((one) => ("code" in one ? one.code : null));
  return codes.findLast((code) => typeof code === "string") ?? null;
}

function innermostMessage(error: unknown): string {
  const told = causesOf(error).at(-1)?.message ?? String(error);
  // As fetch says it of ports that the Fetch standard keeps for other services.
  return told === "bad port" ? "fetch refuses this port, which belongs to another protocol" : told;
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < 5) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}
