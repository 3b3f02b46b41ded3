import { MarkethookError } from "@markethook/protocol";
import type { FastifyRequest } from "fastify";
import type { ApiKey, PortalSession } from "@markethook/store";
import type { Actor } from "./actor.ts";
import { type AddressList, parseAddressList } from "./address-list.ts";
import type { AppDeps } from "../app-deps.ts";
import { SECRETLESS_SESSION_SCOPES, SESSION_SCOPES } from "./scopes.ts";
import {
  API_KEY_LENGTH,
  hashToken,
  isApiKeyForm,
  isPortalTokenForm,
  PORTAL_TOKEN_LENGTH,
} from "./token.ts";

/** A key or a session that has ended works for at most this much longer. The database says so: machines have clocks of their own. */
const CACHE_MS = 1000;
/** A frozen database keeps connections open and answers nothing. */
const LOOK_UP_MS = 5000;
/** `lastUsedAt` is for people; once a minute is enough. */
const TOUCH_EVERY_MS = 60_000;
/**
 * More keys than any marketplace uses at a time. It is a bound, because a flood of wrong keys must not fill the memory.
 */
const CACHE_SIZE = 1000;

/** A text of another length is not worth a hash. */
const LENGTHS: ReadonlySet<number> = new Set([API_KEY_LENGTH, PORTAL_TOKEN_LENGTH]);

/** Replaces a list that cannot be read: a list is meant to narrow, so it must not widen. */
const NOWHERE: AddressList = { has: () => false };

interface Entry {
  at: number;
  /** The result, once there is one. Until then all callers share `pending`. */
  actor: Actor | null;
  pending: Promise<void> | null;
}

/**
 * The returned function finds the sender of a request; synchronously, if the key was looked up within the last second.
 * It throws `unauthenticated`, with the same words for every cause.
 */
export function createAuthenticator(
  deps: Pick<AppDeps, "store" | "nowMs" | "fault">,
): (request: FastifyRequest) => Actor | Promise<Actor> {
  const entries = new Map<string, Entry>();
  const touchedAt = new Map<string, number>();

  async function load(token: string, hash: string, entry: Entry): Promise<void> {
    const { apiKeys, portalSessions } = deps.store;
    if (token.length === API_KEY_LENGTH) {
      const key = await apiKeys.findByHash(hash);
      entry.actor = key === null || key.hasEnded ? null : actorOfKey(key);
      if (key !== null) touch(key.id);
    } else {
      const session = await portalSessions.findByToken(hash);
      entry.actor = session === null ? null : actorOfSession(session);
    }
    entry.pending = null;
  }

  function touch(id: string): void {
    const now = deps.nowMs();
    const last = touchedAt.get(id);
    if (last !== undefined && now - last < TOUCH_EVERY_MS && now >= last) return;
    if (touchedAt.size >= CACHE_SIZE) touchedAt.clear();
    touchedAt.set(id, now);
    deps.store.apiKeys.touch(id).catch((error: unknown) => {
      deps.fault("store the last use of an API key", error);
    });
  }

  function actorOfEntry({ actor }: Entry): Actor {
    if (actor === null) throw new MarkethookError("unauthenticated");
    return actor;
  }

  return (request) => {
    const token = bearerToken(request);
    if (token === null || !LENGTHS.has(token.length)) throw new MarkethookError("unauthenticated");
    const hash = hashToken(token);
    const now = deps.nowMs();
    let entry = entries.get(hash);
    if (entry === undefined || now - entry.at >= CACHE_MS || now < entry.at) {
      if (!isApiKeyForm(token) && !isPortalTokenForm(token)) {
        throw new MarkethookError("unauthenticated");
      }
      if (entries.size >= CACHE_SIZE) entries.clear();
      entry = { at: now, actor: null, pending: null };
      entries.set(hash, entry);
      entry.pending = inTime(load(token, hash, entry));
      // A failed look-up must not count as an unknown key.
      entry.pending.catch(() => entries.delete(hash));
    }
    const found = entry;
    if (found.pending === null) return actorOfEntry(found);
    return found.pending.then(() => actorOfEntry(found));
  };
}

/** @throws `store_unavailable` after the time limit; the look-up goes on. */
async function inTime(lookUp: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MarkethookError("store_unavailable")), LOOK_UP_MS);
  });
  try {
    await Promise.race([lookUp, late]);
  } finally {
    clearTimeout(timer);
  }
}

function actorOfKey(key: ApiKey): Actor {
  const { id, name, expiresAt } = key;
  const scopes = new Set(key.scopes);
  return {
    kind: "key",
    id,
    name,
    ownerId: null,
    resourceId: null,
    scopes,
    expiresAt,
    renewableUntil: null,
    returnUrl: null,
    addresses: key.addresses.length === 0 ? null : (parseAddressList(key.addresses) ?? NOWHERE),
  };
}

function actorOfSession(session: PortalSession): Actor {
  const { id, ownerId, resourceId, expiresAt, renewableUntil, returnUrl } = session;
  const own = { id, name: ownerId, ownerId, resourceId, expiresAt, renewableUntil, returnUrl };
  const scopes = session.revealsSecrets ? SESSION_SCOPES : SECRETLESS_SESSION_SCOPES;
  return { kind: "session", scopes, addresses: null, ...own };
}

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || countAuthorization(request.raw.rawHeaders) > 1) return null;
  const space = header.indexOf(" ");
  if (space < 0 || header.slice(0, space).toLowerCase() !== "bearer") return null;
  return header.slice(space + 1).trim();
}

/** Node keeps the first of several headers; a proxy in front may have judged another one. */
function countAuthorization(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name !== undefined && name.length === 13 && name.toLowerCase() === "authorization") {
      count += 1;
    }
  }
  return count;
}
