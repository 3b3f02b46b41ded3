import {
  isPortalPath,
  makeRandomId,
  MarkethookError,
  PORTAL_SESSION_ID_PREFIX,
} from "@markethook/protocol";
import type { PortalSession } from "@markethook/store";
import { Type } from "typebox";
import { actingStore, actorOf } from "../auth/actor.ts";
import { createFailedAttempts } from "../auth/failed-attempts.ts";
import { withInstants } from "../request/instant.ts";
import { operation } from "../document/operation.ts";
import { currentView, portalSessionView } from "../views/portal-view.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { closed, OwnerQuery, ref } from "../schemas/fields.ts";
import {
  CurrentSessionView,
  ExchangeBody,
  NewPortalSessionView,
  OpenedPortalSessionView,
  PortalSessionBody,
  PortalSessionId,
  PortalSessionView,
  RenewedPortalSessionView,
} from "../schemas/portal.ts";
import {
  derivePortalToken,
  hashToken,
  isPortalCodeForm,
  makePortalCode,
  makePortalToken,
} from "../auth/token.ts";

const LIFETIME_SECONDS = 3600;
const LONGEST_SECONDS = 43_200;
/** A link is made just before it is followed. */
const CODE_LIFETIME_MS = 5 * 60_000;
const LISTED = 200;
/** Limit of the only body that is read without a key. */
const EXCHANGE_BYTES = 1024;

export function portalSessionRoutes(app: ApiInstance, { deps }: RouteContext): void {
  const { portalSessions, maintenance } = deps.store;
  const failures = createFailedAttempts(deps.nowMs);

  app.post(
    "/portal-sessions",
    operation({
      id: "createPortalSession",
      summary: "Make a link that opens an owner's webhooks page",
      description:
        "For an owner that the marketplace has logged in. It may do all that owners may, also see secrets: so does, through it, anyone who has a key with this scope. `revealSecrets: false` leaves that out. The link is good once, within five minutes; what it opens lasts for `lifetimeSeconds`, and is renewed while the page is used. `path` is the place that it opens.",
      tag: "portal",
      scope: "portal:write",
      body: PortalSessionBody,
      answers: { 201: ref(NewPortalSessionView) },
      errors: ["resource_unknown", "resource_id_invalid", "portal_path_invalid"],
    }),
    async (request, reply) => {
      const { ownerId, resourceId, path, returnUrl, revealSecrets } = request.body;
      const { lifetimeSeconds = LIFETIME_SECONDS, longestSeconds = LONGEST_SECONDS } = request.body;
      if (path !== undefined && !isPortalPath(path)) {
        throw new MarkethookError("portal_path_invalid", { pointer: "/path" });
      }
      const code = makePortalCode(deps.randomBytes);
      const session = await actingStore(deps, request).portalSessions.create({
        id: makeRandomId(PORTAL_SESSION_ID_PREFIX, deps.randomBytes),
        ownerId,
        resourceId: resourceId ?? null,
        returnUrl: returnUrl ?? null,
        revealsSecrets: revealSecrets ?? true,
        codeHash: hashToken(code),
        codeLifetimeMs: CODE_LIFETIME_MS,
        lifetimeMs: lifetimeSeconds * 1000,
        longestMs: longestSeconds * 1000,
      });
      reply.header("cache-control", "no-store");
      return reply.code(201).send({
        ...withInstants(session),
        // In the fragment, which no server's log and no Referer header contains.
        url: `${deps.publicUrl()}/portal/#code=${code}${placeIn(path)}`,
      });
    },
  );

  app.post(
    "/portal-sessions/exchange",
    {
      ...operation({
        id: "exchangePortalCode",
        summary: "Open a session with the code of its link",
        description:
          "For the page. The token goes into `Authorization` like a key, and no cookie. With a `nonce` the call can be repeated for five minutes.",
        tag: "portal",
        scope: "public",
        body: ExchangeBody,
        answers: { 200: ref(OpenedPortalSessionView) },
        errors: ["portal_code_invalid", "too_many_attempts"],
      }),
      bodyLimit: EXCHANGE_BYTES,
    },
    async (request, reply) => {
      const { code, nonce } = request.body;
      const token =
        nonce === undefined ? makePortalToken(deps.randomBytes) : derivePortalToken(code, nonce);
      const acting = actingStore(deps, request);
      const session = isPortalCodeForm(code)
        ? ((await acting.portalSessions.exchange(hashToken(code), hashToken(token))) ??
          (nonce === undefined ? null : await openedBefore(token)))
        : null;
      if (session === null) throw failures.refusal(request.ip, "portal_code_invalid");
      reply.header("cache-control", "no-store");
      return { ...withInstants(session), token };
    },
  );

  /** Returns the session that an earlier call with the same code and nonce has opened. */
  async function openedBefore(token: string): Promise<PortalSession | null> {
    const session = await portalSessions.findByToken(hashToken(token));
    if (session === null || session.openedAt === null) return null;
    const now = await maintenance.now();
    return now < session.openedAt + CODE_LIFETIME_MS ? session : null;
  }

  app.get(
    "/portal-sessions/current",
    operation({
      id: "getCurrentSession",
      summary: "Who is asking, and what a page must know about this service",
      tag: "portal",
      scope: "any",
      answers: { 200: ref(CurrentSessionView) },
    }),
    (request, reply) => {
      reply.header("cache-control", "no-store");
      return currentView(actorOf(request), deps);
    },
  );

  app.post(
    "/portal-sessions/current/renew",
    operation({
      id: "renewCurrentSession",
      summary: "Give the session that asks its lifetime again",
      description:
        "For the page, while somebody uses it. Not beyond `renewableUntil`; then it answers the same `expiresAt` again.",
      tag: "portal",
      scope: "any",
      answers: { 200: ref(RenewedPortalSessionView) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      const { kind, id } = actorOf(request);
      const session =
        kind === "session" ? await actingStore(deps, request).portalSessions.renew(id) : null;
      if (session === null) throw new MarkethookError("not_found");
      reply.header("cache-control", "no-store");
      return withInstants(session);
    },
  );

  app.delete(
    "/portal-sessions/current",
    operation({
      id: "endCurrentSession",
      summary: "End the session that asks",
      tag: "portal",
      scope: "any",
      answers: { 204: Type.Null({ description: "Ended" }) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      const { kind, id } = actorOf(request);
      if (kind !== "session" || !(await actingStore(deps, request).portalSessions.revoke(id))) {
        throw new MarkethookError("not_found");
      }
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/portal-sessions",
    operation({
      id: "listPortalSessions",
      summary: "Sessions that are open, the newest first; at most 200",
      tag: "portal",
      scope: "portal:write",
      query: OwnerQuery,
      answers: { 200: Type.Object({ items: Type.Array(ref(PortalSessionView)) }) },
    }),
    async (request) => {
      const ownerId = request.query.ownerId ?? null;
      const sessions = await portalSessions.list({ ownerId, limit: LISTED });
      return { items: sessions.map(portalSessionView) };
    },
  );

  app.delete(
    "/portal-sessions/:id",
    operation({
      id: "revokePortalSession",
      summary: "End a session",
      description: "Within a second, its live streams too.",
      tag: "portal",
      scope: "portal:write",
      params: closed({ id: PortalSessionId }),
      answers: { 204: Type.Null({ description: "Ended" }) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      const acting = actingStore(deps, request);
      if (!(await acting.portalSessions.revoke(request.params.id)))
        throw new MarkethookError("not_found");
      return reply.code(204).send(null);
    },
  );
}

/** Appends the place to the code in the fragment, where the page reads it. */
function placeIn(path: string | undefined): string {
  return path === undefined ? "" : `&path=${encodeURIComponent(path)}`;
}
