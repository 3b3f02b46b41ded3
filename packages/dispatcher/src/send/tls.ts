import { isIP, type Socket } from "node:net";
import {
  connect,
  createSecureContext,
  type ConnectionOptions,
  DEFAULT_CIPHERS,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import type { CertificateFacts } from "@markethook/store";

import { categoryOf, describe, type DialFailure } from "./connect-error.ts";
import type { Connection } from "./connection.ts";
import { type KeptSession, SessionCache } from "./session-cache.ts";
import type { Target } from "../guard/url-rules.ts";

export interface TlsOptions {
  now: () => number;
  /** PEM; instead of the certificate authorities that come with Node. */
  ca?: string;
  sessionBytes: number;
  /** Names of OpenSSL, with colons between; null: its default. */
  curves: string | null;
}

/**
 * Without DHE, where the receiver chooses the prime: each handshake with one of 10,000 bits takes more than a second of this
 * thread, before the certificate is judged.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;

/** Puts TLS on a connected socket. */
export type SecureSocket = (
  socket: Socket,
  target: Target,
  connection: Connection,
) => Promise<TLSSocket | DialFailure>;

/** The groups that OpenSSL 3.5 offers by itself, without the marks (`*`) of the groups for which it also sends a key share. */
const GROUPS =
  "?X25519MLKEM768 / ?X25519:?secp256r1 / ?X448:?secp384r1:?secp521r1 / ?ffdhe2048:?ffdhe3072";

/** By the name that Node tells of a handshake's group. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["X25519MLKEM768", "?X25519MLKEM768 "],
  ["X25519", "?X25519:"],
  ["prime256v1", "?secp256r1 "],
]);

/**
 * Makes the client side of TLS: the certificate is checked against the URL's name, and HTTP/1.1 is the only protocol. A
 * cache of sessions, bounded by memory, saves a whole handshake for each new connection. It also knows which key share
 * the receiver uses, so that no others are sent.
 */
export function createSecureSocket(options: TlsOptions): SecureSocket {
  const sessions = new SessionCache(options.sessionBytes, options.now);
  /** By groups. */
  const contexts = new Map<string | null, SecureContext>();

  /** Made once, and late: reading all certificate authorities takes tens of milliseconds. */
  function contextFor(groups: string | null): SecureContext {
    let context = contexts.get(groups);
    if (context === undefined) {
      context = createSecureContext({
        minVersion: "TLSv1.2",
        ciphers: CIPHERS,
        ...(groups === null ? {} : { ecdhCurve: groups }),
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      });
      contexts.set(groups, context);
    }
    return context;
  }

  function secureContext(kept: KeptSession | undefined): SecureContext {
    const { curves } = options;
    const learned = curves === null && kept?.group != null ? groupsWithShareFor(kept.group) : null;
    try {
      return contextFor(learned ?? curves);
    } catch (error) {
      // OpenSSL before 3.5 does not know this notation.
      if (learned === null) throw error;
      return contextFor(null);
    }
  }

  function connectOptions(
    socket: Socket,
    target: Target,
    kept: KeptSession | undefined,
  ): ConnectionOptions {
    return {
      socket,
      // The name that the certificate must match. An address is no server name (RFC 6066) but is checked as well.
      host: target.host,
      ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
      ALPNProtocols: ["http/1.1"],
      secureContext: secureContext(kept),
      // A bad certificate is refused below, before anything is written: only then can its facts be read. With a session
      // Node refuses it; otherwise it would read the session twice, which is a twentieth of a resumed handshake.
      rejectUnauthorized: kept !== undefined,
      ...(kept === undefined ? {} : { session: kept.session }),
    };
  }

  return (socket, target, connection) =>
    new Promise((resolve) => {
      const kept = sessions.find(target.origin);
      const tls = connect(connectOptions(socket, target, kept));
      connection.attach(tls);
      const fail = (error: Error | null): void => {
        // The next handshake is a whole one, and can tell what is wrong with the certificate.
        if (!tls.authorized) sessions.drop(target.origin);
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
        if (!tls.authorized) return;
        const offered = kept === undefined ? {} : { before: kept };
        const resumed = tls.isSessionReused();
        sessions.keep(target.origin, session, { group: groupOf(tls), ...offered, resumed });
      });
    });
}

/**
 * Returns the groups to offer to a receiver that chose this one: all of them in OpenSSL's order, but a key share for this
 * one alone. Shares that a receiver does not use are most of a first message's bytes and much of its time. One that it
 * needs and does not get costs a round trip. Null: the group is not among those that a share can be sent for.
 */
function groupsWithShareFor(group: string): string | null {
  const name = NAMES.get(group);
  return name === undefined ? null : GROUPS.replace(name, name.replace("?", "?*"));
}

/** Null: the key exchange was by no named group. */
function groupOf(tls: TLSSocket): string | null {
  const info = tls.getEphemeralKeyInfo();
  return info !== null && "name" in info ? String(info.name) : null;
}

/** Node reports the reason by its code. */
function refusalOf(tls: TLSSocket): DialFailure {
  const code = String(tls.authorizationError);
  const category = categoryOf(Object.assign(new Error(code), { code }), "tls");
  const failure = { category, detail: `TLS: ${code}` };
  try {
    return { ...failure, certificate: certificateOf(tls) };
  } catch {
    // These bytes come from a stranger: if they cannot be read, nothing is reported.
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
