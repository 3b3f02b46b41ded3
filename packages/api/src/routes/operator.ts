import { instant } from "@markethook/protocol";
import type { AuditRow, AuditStore, Webhook } from "@markethook/store";
import type { AppDeps } from "../app-deps.ts";
import { auditView } from "../views/audit-view.ts";
import { createWebhookViews } from "../views/webhook-view.ts";
import { withInstants } from "../request/instant.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { ref } from "../schemas/fields.ts";
import { OperatorView } from "../schemas/operator.ts";

const LISTED = 20;
const COUNTED = 100_000;
/** Each owner who opens the page leaves several rows about the session, which would hide all others. */
const CHANGES = { ownerId: null, withoutKind: "portal_session" } as const;
/** How many rows of the audit log are looked through for them, once. */
const EXAMINED = 100_000;
/** Counting costs something, and several people may read at once. */
const FRESH_MS = 1000;

export function operatorRoutes(app: ApiInstance, { deps }: RouteContext): void {
  let madeAt = -Infinity;
  let last: ReturnType<typeof overview> | null = null;
  const changes = createChanges(deps.store.audit);

  app.get(
    "/operator",
    operation({
      id: "operatorOverview",
      summary: "How the service is doing",
      description: "Figures that are counted in memory are of this instance. At most a second old.",
      tag: "operator",
      scope: "operator:read",
      answers: { 200: ref(OperatorView) },
    }),
    async (_request, reply) => {
      reply.header("cache-control", "no-store");
      const now = deps.nowMs();
      if (last === null || now - madeAt >= FRESH_MS || now < madeAt) {
        madeAt = now;
        last = overview(deps, changes);
        last.catch(() => (last = null));
      }
      return last;
    },
  );
}

/** The newest changes. Each call reads the rows of the audit log that were added since the last one. */
function createChanges(audit: Pick<AuditStore, "list">): () => Promise<AuditRow[]> {
  const nothing = { no: 0, items: [] as AuditRow[] };
  let known = nothing;
  return async () => {
    const newest = await audit.list({ ownerId: null }, { beforeSeq: null, limit: 1 });
    const no = newest.items[0]?.no ?? 0;
    if (no === known.no) return known.items;
    // A failover of PostgreSQL can lose rows; their numbers come again.
    const before = no > known.no ? known : nothing;
    const examined = Math.min(EXAMINED, no - before.no);
    const found = await audit.list(CHANGES, { beforeSeq: no + 1, limit: LISTED, examined });
    known = { no, items: [...found.items, ...before.items].slice(0, LISTED) };
    return known.items;
  };
}

async function overview(deps: AppDeps, newestChanges: () => Promise<AuditRow[]>) {
  const { maintenance, webhooks, instances, notices, kind } = deps.store;
  const [stored, readAt, dueNow, disabled, failing, instanceNos, newest, changes, figures] =
    await Promise.all([
      maintenance.statistics(),
      // All other times on the page are by this clock, heartbeats of instances on other machines among them.
      maintenance.now(),
      maintenance.countDue(COUNTED),
      webhooks.listDisabled(LISTED),
      webhooks.listFailing(LISTED),
      instances.list(),
      notices.newest(LISTED),
      newestChanges(),
      deps.operator(),
    ]);
  const { masterKeyIds, ...now } = figures;
  return {
    ...now,
    readAt: instant(readAt),
    dueNow,
    waiting: stored.pending,
    leased: stored.leased,
    webhooks: stored.webhooks,
    suspects: stored.suspects,
    disabledList: disabled.map((webhook) =>
      Object.assign(withInstants(webhook), { reason: webhook.disabledReason }),
    ),
    failingList: await failingViews(deps, failing),
    instances: instanceNos.map(withInstants),
    notices: newest.map(withInstants),
    changes: changes.map((row) => auditView(row, false)),
    allowTargets: [...deps.allowTargets],
    dryRun: deps.dryRun,
    storeKind: kind,
    storeBytes: stored.sizeBytes,
    version: deps.version,
    masterKeys: masterKeyIds.map((id, i) => ({ id, encrypts: i === 0 })),
  };
}

async function failingViews(deps: AppDeps, failing: readonly Webhook[]) {
  const views = await createWebhookViews(deps).many(failing);
  return views
    .filter(({ failingSince }) => failingSince !== null)
    .map((view) => {
      const { lastAttempt } = view.health;
      return Object.assign(view, {
        lastOutcome: lastAttempt?.outcome ?? null,
        lastStatus: lastAttempt?.status ?? null,
      });
    });
}
