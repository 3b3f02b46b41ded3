import { UnreachableError, type UnreachableReason } from "./errors.ts";

const SENTENCES = {
  refused: "nothing listens there. Is the service running, is the port right?",
  name_unknown: "the host's name is not known. Check baseUrl and the DNS.",
  no_route: "there is no way to that network address.",
  timeout: "the connection was not made in time. A firewall may drop it.",
  dropped: "the connection was closed before an answer came.",
  tls: "TLS failed. Check the certificate, and that the port speaks TLS.",
};

/** By the codes that Node's fetch puts into the cause of its errors. */
const REASONS: Readonly<Record<string, keyof typeof SENTENCES>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "name_unknown",
  EAI_AGAIN: "name_unknown",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  EADDRNOTAVAIL: "no_route",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  ECONNRESET: "dropped",
  EPIPE: "dropped",
  ETIMEDOUT: "dropped",
  UND_ERR_SOCKET: "dropped",
};

const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/** In plain words, why no answer came from there. */
export function explainUnreachable(origin: string, error: unknown): UnreachableError {
  const code = findCode(error);
  const reason = reasonOf(code);
  const sentence = reason === "network" ? `${innermostMessage(error)}.` : SENTENCES[reason];
  const text = `${origin} cannot be reached: ${sentence}${code === null ? "" : ` [${code}]`}`;
  // The others go wrong before the request is sent.
  const mayHaveArrived = reason === "dropped" || reason === "network";
  return new UnreachableError(text, reason, mayHaveArrived, { cause: error });
}

function reasonOf(code: string | null): UnreachableReason {
  if (code === null) return "network";
  return REASONS[code] ?? (TLS.test(code) ? "tls" : "network");
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

/** The client had as many other requests open as it may have, all the time. */
export function turnTimedOut(
  origin: string,
  timeoutMs: number,
  others: number,
  cause: unknown,
): UnreachableError {
  const text = `${origin} was not asked within ${timeoutMs} ms, because ${others} other requests of this client were open. Nothing was sent.`;
  return new UnreachableError(text, "timeout", false, { cause });
}

/** The same where an earlier try may have got there, although the last one did not. */
export function arrived({ message, reason, cause }: UnreachableError): UnreachableError {
  return new UnreachableError(message, reason, true, { cause });
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
