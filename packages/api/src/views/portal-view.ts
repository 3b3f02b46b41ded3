import { headerNames } from "@markethook/protocol";
import type { PortalSession } from "@markethook/store";
import type { Static } from "typebox";
import type { Actor } from "../auth/actor.ts";
import type { AppDeps } from "../app-deps.ts";
import { withInstants } from "../request/instant.ts";
import type { CurrentSessionView, PortalSessionView } from "../schemas/portal.ts";

export function portalSessionView(session: PortalSession): Static<typeof PortalSessionView> {
  return { ...withInstants(session), revealSecrets: session.revealsSecrets };
}

/** The session, and the facts about this service that a page needs. */
export function currentView(actor: Actor, deps: AppDeps): Static<typeof CurrentSessionView> {
  return {
    ...withInstants(actor),
    scopes: [...actor.scopes],
    serviceName: deps.serviceName,
    headerNames: headerNames(deps.serviceName),
    baseUrl: deps.baseUrl,
    development: deps.development,
    dryRun: deps.dryRun,
    allowTargets: [...deps.allowTargets],
    disableAfterMs: deps.disableAfterMs,
    version: deps.version,
    store: deps.store.kind,
  };
}
