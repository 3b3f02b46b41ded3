import { MarkethookError } from "@markethook/protocol";
import { type ActingStore, type AuditActor, type Store, SYSTEM } from "@markethook/store";
import type { FastifyRequest } from "fastify";
import type { AddressList } from "./address-list.ts";
import { hasScope } from "./scopes.ts";

/** The sender of a request. */
export interface Actor {
  /** A marketplace's API key, or an owner's portal session. */
  kind: "key" | "session";
  /** Id of the key or session. */
  id: string;
  /** Name for people: of the key, or of the session's owner. */
  name: string;
  /** Null: the marketplace, which sees everything. */
  ownerId: string | null;
  /** The one resource that a session is bound to; null: all of its owner. */
  resourceId: string | null;
  scopes: ReadonlySet<string>;
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
  /** Until when a session can be renewed; null: never. */
  renewableUntil: number | null;
  returnUrl: string | null;
  /** Addresses from which it is accepted; null: any. */
  addresses: AddressList | null;
}

/** Returns the actor that authentication stored on the request. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === null) throw new Error("route without authentication asked for its actor");
  return request.actor;
}

/**
 * Returns the owner whose data the request may see; null: all. A marketplace's key may act for one owner by
 * `?ownerId=`. A session never acts for another owner, and learns nothing by trying.
 */
export function actingOwner(request: FastifyRequest): string | null {
  const { ownerId } = actorOf(request);
  // Its schema guarantees that it is a text, if it is there.
  const { ownerId: asked } = request.query as { ownerId?: string };
  if (ownerId === null) return asked ?? null;
  if (asked !== undefined && asked !== ownerId) throw new MarkethookError("not_found");
  return ownerId;
}

/** Returns the resource to which a list is limited: the requested one, or the one that the session is bound to. */
export function actingResource(
  request: FastifyRequest,
  asked: string | undefined,
): string | undefined {
  const { resourceId } = actorOf(request);
  if (resourceId === null) return asked;
  if (asked !== undefined && asked !== resourceId) throw new MarkethookError("not_found");
  return resourceId;
}

/** For routes whose answer has a secret of the owner's receiver: refuses a session that may not reveal secrets. */
export function refuseBlindSession(request: FastifyRequest): void {
  const { kind, scopes } = actorOf(request);
  if (kind === "session" && !hasScope(scopes, "secrets:read")) {
    throw new MarkethookError("scope_missing", {
      detail: "This session was made without secrets.",
    });
  }
}

/** Whether signatures are shown to the sender. A receiver takes them for five minutes, so they are as good as the secret. */
export function seesSignatures(request: FastifyRequest): boolean {
  return hasScope(actorOf(request).scopes, "secrets:read");
}

/** Returns the store in the name of the sender: every change through it adds an audit row. */
export function actingStore(
  { store }: { store: Pick<Store, "actingAs"> },
  request: FastifyRequest,
): ActingStore {
  return store.actingAs(auditActorOf(request));
}

/** On a public route the caller has no name. */
function auditActorOf({ actor, id: requestId }: FastifyRequest): AuditActor {
  if (actor === null) return { ...SYSTEM, requestId };
  const { kind, id, name } = actor;
  return { kind: kind === "key" ? "api_key" : "portal_session", id, name, requestId };
}
