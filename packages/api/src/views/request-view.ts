import { HIDDEN_SIGNATURE, isSignatureHeader } from "@markethook/protocol";
import type { FastifyRequest } from "fastify";
import type { PingResult, ShownRequest } from "../app-deps.ts";
import { actorOf } from "../auth/actor.ts";
import { hasScope } from "../auth/scopes.ts";

/** Whether signatures are shown to the sender. A receiver takes them for five minutes, so they are as good as the secret. */
export function seesSignatures(request: FastifyRequest): boolean {
  return hasScope(actorOf(request).scopes, "secrets:read");
}

export function withoutSignatures(shown: ShownRequest): ShownRequest {
  return {
    ...shown,
    headers: shown.headers.map(([name, value]) => [
      name,
      isSignatureHeader(name) ? HIDDEN_SIGNATURE : value,
    ]),
  };
}

/** A ping or sample as the sender of `request` may see it. */
export function pingView(request: FastifyRequest, ping: PingResult): PingResult {
  return seesSignatures(request) ? ping : { ...ping, request: withoutSignatures(ping.request) };
}
