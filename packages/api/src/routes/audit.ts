import type { AuditFilter, AuditSubject } from "@markethook/store";
import { Type } from "typebox";
import { actingOwner, actingResource, actorOf } from "../auth/actor.ts";
import { auditView } from "../views/audit-view.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { AuditCheckQuery, AuditCheckView, AuditQuery, AuditView } from "../schemas/audit.ts";
import { NextCursor, ref } from "../schemas/fields.ts";

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
        "Webhooks and their secrets, keys, resources, sessions, imports, what was sent again, erasures. An owner sees what became of their webhooks and resources.",
      tag: "audit",
      scope: "audit:read",
      query: AuditQuery,
      answers: {
        200: Type.Object({ items: Type.Array(ref(AuditView)), nextCursor: NextCursor }),
      },
      errors: ["cursor_invalid"],
    }),
    async (request) => {
      const { query } = request;
      const ownerId = actingOwner(request, query.ownerId);
      const resourceId = actingResource(request, query.resourceId);
      const forOwner = actorOf(request).kind === "session";
      const filter: AuditFilter = { ownerId };
      if (resourceId !== undefined) filter.resourceId = resourceId;
      if (forOwner) filter.subjectKinds = OWNERS;
      if (query.subjectId !== undefined) filter.subjectId = query.subjectId;
      if (query.actorId !== undefined) filter.actorId = query.actorId;
      if (query.action !== undefined) filter.action = query.action;
      if (query.from !== undefined) filter.from = query.from * 1000;
      if (query.to !== undefined) filter.to = query.to * 1000;
      const binding = { list: "audit", ownerId, filter };
      const size = query.limit ?? 50;
      const beforeNo =
        query.cursor === undefined ? null : Number(cursors.read(binding, query.cursor)[0]);
      const rows = await audit.list(filter, { beforeNo, limit: size });
      const last = rows.length < size ? undefined : rows.at(-1);
      return {
        items: rows.map((row) => auditView(row, forOwner)),
        nextCursor: last === undefined ? null : cursors.write(binding, [last.no]),
      };
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
