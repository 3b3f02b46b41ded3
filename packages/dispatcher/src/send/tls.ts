import { isIP, type Socket } from "node:net";
import {
  connect,
  createSecureContext,
  type ConnectionOptions,
  type SecureContext,
  type TLSSocket,
} from "node:tls";

import { LRUCache } from "lru-cache";

import { categoryOf, describe, type DialFailure } from "./connect-error.ts";
import type { Connection } from "./connection.ts";
import type { CertificateFacts } from "./send-result.ts";
import type { Target } from "./target.ts";

export interface TlsOptions {
  now: () => number;
  /** PEM; instead of the certificate authorities that come with Node. */
  ca?: string;
  /** Memory for sessions. */
  sessionBytes: number;
  /** As OpenSSL names them, with colons between; null: its default. */
  curves: string | null;
}

/** Puts TLS on a connected socket. */
export type SecureSocket = (
  socket: Socket,
  target: Target,
  connection: Connection,
) => Promise<TLSSocket | DialFailure>;

/** A certificate is checked when a session begins, and not when it is resumed. */
const KEPT_SESSION_MS = 60 * 60_000;
/** What a session takes in the cache besides its own bytes and its origin. */
const ENTRY_BYTES = 300;

/**
 * Makes the client side of TLS: certificate checked against the URL's name, HTTP/1.1 only, and a cache of sessions of
 * its own, bounded by memory, without which every new connection costs a whole handshake.
 */
export function createSecureSocket(options: TlsOptions): SecureSocket {
  const sessions = new LRUCache<string, Buffer>({
    maxSize: options.sessionBytes,
    sizeCalculation: (session, origin) => session.length + origin.length + ENTRY_BYTES,
    ttl: KEPT_SESSION_MS,
    perf: { now: options.now },
    ttlResolution: 0,
  });
  let context: SecureContext | null = null;

  /** Made once, and late: reading all certificate authorities takes tens of milliseconds. */
  function secureContext(): SecureContext {
    context ??= createSecureContext({
      minVersion: "TLSv1.2",
      ...(options.curves === null ? {} : { ecdhCurve: options.curves }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    return context;
  }

  function connectOptions(socket: Socket, target: Target): ConnectionOptions {
    const session = sessions.get(target.origin);
    return {
      socket,
      // What the certificate must be for. An address is no server name (RFC 6066) but is checked all the same.
      host: target.host,
      ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
      ALPNProtocols: ["http/1.1"],
      secureContext: secureContext(),
      // It is refused below, before anything is written: only then can its facts be read.
      rejectUnauthorized: false,
      ...(session === undefined ? {} : { session }),
    };
  }

  return (socket, target, connection) =>
    new Promise((resolve) => {
      const tls = connect(connectOptions(socket, target));
      connection.attach(tls);
      const fail = (error: Error | null): void => {
        resolve({ category: categoryOf(error, "tls"), detail: `TLS: ${describe(error)}` });
      };
      const failClosed = (): void => fail(null);
      tls.once("error", fail);
      tls.once("close", failClosed);
      tls.once("secureConnect", () => {
        tls.off("close", failClosed);
        if (tls.authorized) {
          resolve(tls);
          return;
        }
        resolve(refusalOf(tls));
        tls.destroy();
      });
      tls.on("session", (session) => {
        if (tls.authorized) sessions.set(target.origin, session);
      });
    });
}

/** Node says it by its code. */
function refusalOf(tls: TLSSocket): DialFailure {
  const code = String(tls.authorizationError);
  const category = categoryOf(Object.assign(new Error(code), { code }), "tls");
  const failure = { category, detail: `TLS: ${code}` };
  try {
    return { ...failure, certificate: certificateOf(tls) };
  } catch {
    // Bytes of a stranger: what cannot be read is not told.
    return failure;
  }
}

const LONGEST_NAME = 200;

function certificateOf(tls: TLSSocket): CertificateFacts {
  const { subject, issuer, subjectaltname, valid_from, valid_to } = tls.getPeerCertificate();
  const names = subjectaltname?.replaceAll(/(DNS|IP Address):/g, "") ?? nameOf(subject?.CN);
  return {
    names: names.slice(0, LONGEST_NAME),
    issuer: nameOf(issuer?.O ?? issuer?.CN).slice(0, LONGEST_NAME),
    validFrom: isoTime(valid_from),
    validTo: isoTime(valid_to),
  };
}

/** A part of a name may be there several times. */
function nameOf(part: string | string[] | undefined): string {
  return [part ?? ""].flat().join(", ");
}

/** OpenSSL's "Nov 24 12:00:00 2026 GMT"; empty where it is none. */
function isoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}
