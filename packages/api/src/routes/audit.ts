import { given } from "@markethook/protocol";
import type { AuditFilter, AuditSubject } from "@markethook/store";
import { actingOwner, actingResource, actorOf } from "../auth/actor.ts";
import { auditView } from "../views/audit-view.ts";
import { openPage } from "../request/cursor.ts";
import { millisecondsOf } from "../request/instant.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { AuditCheckQuery, AuditCheckView, AuditQuery, AuditView } from "../schemas/audit.ts";
import { pageOf, ref } from "../schemas/fields.ts";

/** How many rows one request checks. */
const CHECKED = 10_000;
/** Subjects that owners see: changes of their own things, not the marketplace's administration. */
const OWNERS: readonly AuditSubject[] = ["webhook", "delivery", "resource"];

export function auditRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  const { audit } = deps.store;

  app.get(
    "/audit",
    operation({
      id: "listAudit",
      summary: "Who changed what, newest first",
      description:
        "Webhooks and their secrets, keys, resources, sessions, imports, redeliveries, erasures. An owner sees changes of their webhooks and resources. A page can have fewer than `limit`, also before the last one.",
      tag: "audit",
      scope: "audit:read",
      query: AuditQuery,
      answers: {
        200: pageOf(AuditView),
      },
      errors: ["cursor_invalid"],
    }),
    async (request) => {
      const { query } = request;
      const ownerId = actingOwner(request);
      const resourceId = actingResource(request, query.resourceId);
      const forOwner = actorOf(request).kind === "session";
      const subjectKinds = forOwner ? OWNERS : undefined;
      const { subjectId, actorId, action, without: withoutKind } = query;
      const about = { ownerId, resourceId, subjectKinds, subjectId };
      const plain = { ...about, actorId, action, withoutKind };
      // Cursors are bound to the filter as it is written, in this order.
      const filter: AuditFilter = given({ ...plain, ...millisecondsOf(query) });
      const page = openPage<number>(cursors, { list: "audit", ownerId, filter }, query);
      const found = await audit.list(filter, { beforeSeq: page.after, limit: page.limit });
      const items = found.items.map((row) => auditView(row, forOwner));
      return { items, nextCursor: page.next(found.nextSeq) };
    },
  );

  app.get(
    "/audit/check",
    operation({
      id: "checkAudit",
      summary: "Whether the log is as it was written",
      description: `Each row holds a keyed hash of itself and of the row before. A request checks ${CHECKED.toLocaleString("en")} rows; repeat it with \`next\` until that is null.`,
      tag: "audit",
      scope: "admin",
      query: AuditCheckQuery,
      answers: { 200: ref(AuditCheckView) },
    }),
    async (request) => {
      const { checked, nextNo, head, broken } = await audit.verify(
        request.query.after ?? 0,
        CHECKED,
      );
      return { checked, next: nextNo, head, broken };
    },
  );
}
