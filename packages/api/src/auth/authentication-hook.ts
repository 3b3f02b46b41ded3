import type { FastifyInstance, FastifyRequest } from "fastify";
import { MarkethookError } from "@markethook/protocol";
import { echo } from "@markethook/protocol/echo";
import type { Actor } from "./actor.ts";
import type { AppDeps } from "../app-deps.ts";
import { createAuthenticator } from "./authenticate.ts";
import { hasScope } from "./scopes.ts";

/** Admits authenticated requests before the body is read, and without a promise if the key is known. */
export function useAuthentication(app: FastifyInstance, deps: AppDeps): void {
  const authenticate = createAuthenticator(deps);
  const checkRate = createKeyRate(deps.keyRate, deps.elapsedMs);

  /** Checks addresses first: the user of a stolen key at another address must not use up its rate. */
  function admit(request: FastifyRequest, actor: Actor): void {
    if (actor.addresses !== null && !actor.addresses.has(request.ip)) {
      throw new MarkethookError("address_not_allowed", {
        detail: `It came from ${echo(request.ip)}.`,
      });
    }
    if (actor.kind === "key") checkRate(actor.id);
    checkScope(request, actor);
    request.actor = actor;
  }

  app.addHook("onRoute", (route) => {
    if (route.config?.scope === undefined) {
      throw new Error(`the route ${route.url} does not say what scope it needs`);
    }
  });

  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.scope === "public") return done();
    const actor = authenticate(request);
    if (actor instanceof Promise) {
      actor.then((known) => admit(request, known)).then(() => done(), done);
      return;
    }
    admit(request, actor);
    done();
  });

  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.bodyOptional === true) {
      request.body = {};
    }
    done();
  });
}

function checkScope(request: FastifyRequest, actor: Actor): void {
  const needed = request.routeOptions.config.scope;
  if (needed === undefined || needed === "public") throw new Error("a route without a scope");
  if (needed !== "any" && !hasScope(actor.scopes, needed)) {
    throw new MarkethookError("scope_missing", { detail: `This needs the scope ${needed}.` });
  }
}

/** Number of stored keys: more than any marketplace uses within a second. */
const KEYS = 10_000;

/** Limits the requests of each key: a bucket that holds one second's worth and refills. 0 per second: no limit. */
function createKeyRate(perSecond: number, elapsedMs: () => number): (keyId: string) => void {
  const buckets = new Map<string, { left: number; at: number }>();
  if (perSecond === 0) return () => {};
  return (keyId) => {
    const now = elapsedMs();
    let bucket = buckets.get(keyId);
    if (bucket === undefined) {
      if (buckets.size >= KEYS) buckets.clear();
      bucket = { left: perSecond, at: now };
      buckets.set(keyId, bucket);
    }
    bucket.left = Math.min(perSecond, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.left < 1) throw new MarkethookError("key_rate_exceeded", { retryAfterSeconds: 1 });
    bucket.left -= 1;
  };
}
