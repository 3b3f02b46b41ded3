import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MarkethookError } from "@markethook/protocol";
import type { AppDeps } from "../app-deps.ts";
import { isApiKeyForm, isPortalTokenForm } from "../auth/token.ts";

/** Headers that must not come twice: another program on the way may have read the other one. */
const SINGLE = new Set(["host", "content-type", "transfer-encoding", "idempotency-key"]);
const SINGLE_LENGTHS = new Set([...SINGLE].map((name) => name.length));

/** A name or address and a port. Stricter than the standard, which allows commas and the like. */
const HOST = /^(?:[\w.-]{1,255}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

const CREDENTIAL = /mhs?_[0-9A-Za-z]{46}/g;

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Returns the target of a request as path and query, so that everything after it knows one form. A target in absolute
 * form (RFC 9112, 3.2.2) has to name the host of the Host header: of two hosts, another program on the way may have read
 * the other one. A target that is neither form comes back as it is, and is refused by the checks.
 */
export function targetOf({ url = "", headers }: Pick<IncomingMessage, "headers" | "url">): string {
  if (url.startsWith("/")) return url;
  const [, authority = "", rest = ""] = ABSOLUTE.exec(url) ?? [];
  const { host = authority } = headers;
  if (!HOST.test(authority) || authority.toLowerCase() !== host.toLowerCase()) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

interface RequestChecks extends Pick<AppDeps, "logger"> {
  sendNotFound(request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * Runs first, before the key is looked at. Refuses requests that Node's parser accepts although two programs could read
 * them differently, bodies whose header announces too many bytes, and unknown paths.
 */
export function useRequestChecks(
  app: FastifyInstance,
  { logger, sendNotFound }: RequestChecks,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    const fault = framingFault(raw);
    if (fault !== null) {
      // The end of this request is in doubt, and with it the start of the next one.
      reply.header("connection", "close");
      return done(new MarkethookError("request_malformed", { detail: fault }));
    }
    if (holdsCredential(raw.url ?? "")) {
      logger.warn(
        { requestId: request.id, route: request.routeOptions.url ?? null, ip: request.ip },
        "a request had an API key or session token in its URL",
      );
      return done(new MarkethookError("credential_in_url"));
    }
    if (request.is404) {
      sendNotFound(request, reply);
      return;
    }
    const length = Number(raw.headers["content-length"] ?? 0);
    if (length > request.routeOptions.bodyLimit) {
      reply.header("connection", "close");
      return discardBody(raw, length, () => done(new MarkethookError("body_too_large")));
    }
    done();
  });
}

/** Returns a sentence about the ambiguity, or null. */
function framingFault(
  request: Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders" | "url">,
): string | null {
  const { headers, httpVersion, rawHeaders, url = "" } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "It is not HTTP/1.1.";
  if (!url.startsWith("/") && url !== "*") {
    return "The target must be a path, or the URL of one at the host of the Host header.";
  }
  if (url.includes("#")) return "The target must have no fragment.";
  const twice = findTwice(rawHeaders);
  if (twice !== null) return `The header ${twice} comes twice.`;

  const { host, "transfer-encoding": coding } = headers;
  if (host === undefined) {
    if (httpVersion === "1.1") return "There is no Host header.";
  } else if (!HOST.test(host)) {
    return "The Host header is not a host and port.";
  }
  if (coding === undefined) return null;
  if (httpVersion === "1.0") return "HTTP/1.0 has no Transfer-Encoding.";
  return coding.toLowerCase() === "chunked" ? null : "Transfer-Encoding can only be chunked.";
}

function findTwice(rawHeaders: readonly string[]): string | null {
  let seen: Set<string> | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    // Compares lengths first, because this runs for every header of every request.
    if (raw === undefined || !SINGLE_LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen?.has(name) === true) return name;
    seen ??= new Set();
    seen.add(name);
  }
  return null;
}

function holdsCredential(url: string): boolean {
  if (!url.includes("mh")) return false;
  return (url.match(CREDENTIAL) ?? []).some(
    (found) => isApiKeyForm(found) || isPortalTokenForm(found),
  );
}

/** A client that announces more is refused at once. */
const MOST_BYTES = 32 * 1024 * 1024;
/** It sends nothing more: it waits for the answer. */
const SILENCE_MS = 300;
const LONGEST_MS = 10_000;

/**
 * Reads the body of a request that is refused, and throws it away. Most clients write the whole body before they read:
 * if its connection is closed before, such a client sees a broken connection, and not the refusal.
 */
function discardBody(request: IncomingMessage, length: number, done: () => void): void {
  if (length > MOST_BYTES) return done();
  let silence = setTimeout(finish, SILENCE_MS);
  const longest = setTimeout(finish, LONGEST_MS);
  function onData(): void {
    clearTimeout(silence);
    silence = setTimeout(finish, SILENCE_MS);
  }
  function finish(): void {
    clearTimeout(silence);
    clearTimeout(longest);
    request.off("data", onData).off("end", finish).off("close", finish);
    done();
  }
  request.on("data", onData).once("end", finish).once("close", finish);
}
