import { type ActingStore, type AuditActor, SYSTEM } from "@markethook/store";
import type { FastifyRequest } from "fastify";
import type { AppDeps } from "../app-deps.ts";

/** The store in the name of who sends this request: whatever is changed through it leaves an audit row. */
export function actingStore(
  { store }: Pick<AppDeps, "store">,
  request: FastifyRequest,
): ActingStore {
  return store.actingAs(auditActorOf(request));
}

/** Of a public route the caller has no name. */
function auditActorOf({ actor, id: requestId }: FastifyRequest): AuditActor {
  if (actor === null) return { ...SYSTEM, requestId };
  const { kind, id, name } = actor;
  return { kind: kind === "key" ? "api_key" : "portal_session", id, name, requestId };
}
