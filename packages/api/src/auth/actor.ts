import { MarkethookError } from "@markethook/protocol";
import { type ActingStore, type AuditActor, SYSTEM } from "@markethook/store";
import type { FastifyRequest } from "fastify";
import type { AppDeps } from "../app-deps.ts";
import type { AddressList } from "./address-list.ts";
import { hasScope } from "./scopes.ts";

/** On whose behalf a request is made. */
export interface Actor {
  /** A marketplace's API key, or an owner's portal session. */
  kind: "key" | "session";
  /** Of the key or session. */
  id: string;
  /** For people: the key's, or who owns the session. */
  name: string;
  /** Null: the marketplace, which sees everything. */
  ownerId: string | null;
  /** The one resource that a session is bound to; null: all of its owner. */
  resourceId: string | null;
  scopes: ReadonlySet<string>;
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
  /** Until when a session can be renewed; null: it cannot. */
  renewableUntil: number | null;
  returnUrl: string | null;
  /** From where it is taken; null: from anywhere. */
  addresses: AddressList | null;
}

/** The actor that authentication left on the request. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === null) throw new Error("route without authentication asked for its actor");
  return request.actor;
}

/**
 * The owner whose things the request may see; null for all. A marketplace's key may act for one owner by
 * `?ownerId=`; a session never acts for another, and learns nothing by trying.
 */
export function actingOwner(request: FastifyRequest, asked: string | undefined): string | null {
  const { ownerId } = actorOf(request);
  if (ownerId === null) return asked ?? null;
  if (asked !== undefined && asked !== ownerId) throw new MarkethookError("not_found");
  return ownerId;
}

/** The resource to which a list is narrowed: the one asked for, or the one that the session is bound to. */
export function actingResource(
  request: FastifyRequest,
  asked: string | undefined,
): string | undefined {
  const { resourceId } = actorOf(request);
  if (resourceId === null) return asked;
  if (asked !== undefined && asked !== resourceId) throw new MarkethookError("not_found");
  return resourceId;
}

/** For what answers with a secret that the owner's receiver will have: not in a session that reveals none. */
export function refuseBlindSession(request: FastifyRequest): void {
  const { kind, scopes } = actorOf(request);
  if (kind === "session" && !hasScope(scopes, "secrets:read")) {
    throw new MarkethookError("scope_missing", {
      detail: "This session was made without secrets.",
    });
  }
}

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
