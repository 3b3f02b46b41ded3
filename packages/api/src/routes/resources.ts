import { Type, type Static } from "typebox";
import { given, LIMITS, MarkethookError, resourceUrl } from "@markethook/protocol";
import type { Resource, ResourceInput } from "@markethook/store";
import { actingOwner, actingStore, actorOf } from "../auth/actor.ts";
import { toFileVersion } from "../input/event-input.ts";
import { ownResource } from "../auth/bound-resource.ts";
import { openPage } from "../request/cursor.ts";
import { withInstants } from "../request/instant.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import {
  AbsentableResourceId,
  closed,
  Cursor,
  limit,
  OwnerId,
  OwnerQuery,
  pageOf,
  ref,
  ResourceId,
} from "../schemas/fields.ts";
import { PutResult, ResourceBody, ResourceItem, ResourceView } from "../schemas/resource.ts";

const KnownId = closed({ id: AbsentableResourceId });

export function resourceRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  const { resources } = deps.store;

  app.put(
    "/resources/:id",
    operation({
      id: "putResource",
      summary: "Create or replace a resource",
      description:
        "`subtitle` and `fileVersion` left out keep those known. A changed `ownerId` disables the old owner's webhooks and cancels their open deliveries.",
      tag: "resources",
      scope: "resources:write",
      params: closed({ id: ResourceId }),
      body: ResourceBody,
      answers: { 200: PutResult, 201: PutResult },
      errors: ["resource_id_invalid"],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const [status] = await actingStore(deps, request).resources.put([toInput(id, request.body)]);
      if (status === undefined) throw new Error("the store answered no resource");
      return reply.code(status === "created" ? 201 : 200).send({ id, status });
    },
  );

  app.put(
    "/resources",
    {
      ...operation({
        id: "putResources",
        summary: "Create or replace up to 1,000 resources",
        description:
          "All of them or, if one is invalid, none. They are stored in parts: after a 5xx answer some may be stored, and the same request can be repeated.",
        tag: "resources",
        scope: "resources:write",
        body: closed({
          items: Type.Array(ResourceItem, { minItems: 1, maxItems: LIMITS.batchItems }),
        }),
        answers: { 200: Type.Object({ results: Type.Array(PutResult) }) },
        errors: ["resource_id_invalid", "batch_too_large"],
      }),
      bodyLimit: LIMITS.batchBytes,
    },
    async (request) => {
      const inputs = request.body.items.map((item) => toInput(item.id, item));
      refuseRepeats(inputs);
      const statuses = await actingStore(deps, request).resources.put(inputs);
      return {
        results: inputs.map(({ id }, i) => ({ id, status: statuses[i] ?? "updated" })),
      };
    },
  );

  app.get(
    "/resources",
    operation({
      id: "listResources",
      summary: "Resources, in order of id",
      tag: "resources",
      scope: "resources:read",
      query: closed({
        ownerId: Type.Optional(Type.String({ ...OwnerId, description: "Of this owner only" })),
        limit: limit(50),
        cursor: Cursor,
      }),
      answers: {
        200: pageOf(ResourceView),
      },
      errors: ["cursor_invalid"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const bound = actorOf(request).resourceId;
      if (bound !== null) {
        const only = await resources.find(bound);
        const visible = only !== null && only.ownerId === ownerId;
        return { items: visible ? [view(only, deps.baseUrl)] : [], nextCursor: null };
      }
      const binding = { list: "resources", ownerId, filter: null };
      const { after, limit, next } = openPage<string>(cursors, binding, request.query);
      const where = given({ ownerId: ownerId ?? undefined, afterId: after ?? undefined });
      const items = await resources.list({ limit, ...where });
      return {
        items: items.map((item) => view(item, deps.baseUrl)),
        nextCursor: next(items.length < limit ? null : items.at(-1)?.id),
      };
    },
  );

  app.get(
    "/resources/:id",
    operation({
      id: "getResource",
      summary: "One resource",
      tag: "resources",
      scope: "resources:read",
      params: KnownId,
      query: OwnerQuery,
      answers: { 200: ref(ResourceView) },
      errors: ["not_found"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      return view(await ownResource(deps, request.params.id, ownerId, "not_found"), deps.baseUrl);
    },
  );

  app.delete(
    "/resources/:id",
    operation({
      id: "deleteResource",
      summary: "Delete a resource and its webhooks",
      description: "Open deliveries are cancelled in the background.",
      tag: "resources",
      scope: "resources:write",
      params: KnownId,
      answers: { 204: Type.Null({ description: "Deleted" }) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      const acting = actingStore(deps, request);
      if (!(await acting.resources.delete(request.params.id)))
        throw new MarkethookError("not_found");
      return reply.code(204).send(null);
    },
  );
}

function toInput(id: string, body: Static<typeof ResourceBody>): ResourceInput {
  const { ownerId, title, subtitle, fileVersion: version } = body;
  const fileVersion = version === undefined ? undefined : toFileVersion(version);
  return given({ id, ownerId, title, subtitle, fileVersion });
}

/** Refuses repeated ids: which of two should win is not for us to guess. */
function refuseRepeats(inputs: readonly ResourceInput[]): void {
  const seen = new Set<string>();
  for (const [i, { id }] of inputs.entries()) {
    if (seen.has(id)) {
      throw new MarkethookError("field_invalid", {
        detail: "This id was named before in the same request.",
        pointer: `/items/${i}/id`,
      });
    }
    seen.add(id);
  }
}

function view(resource: Resource, baseUrl: string): Static<typeof ResourceView> {
  return { ...withInstants(resource), url: resourceUrl(baseUrl, resource.id) };
}
