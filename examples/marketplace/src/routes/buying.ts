import { createReadStream } from "node:fs";
import type { FastifyInstance } from "fastify";
import { buy } from "../actions/buy.ts";
import { mayDownload, recordDownload } from "../actions/download.ts";
import { type Context, sendDone, sendForbidden, sendNotFound } from "../context.ts";
import { leaveSaveCookie } from "./save-cookie.ts";
import { member, param, withResource } from "./with-resource.ts";

const BUY_FIRST = "Buy it first. After a refund or a chargeback it has to be bought again.";

/** What buyers do. */
export function addBuying(app: FastifyInstance, context: Context): void {
  const { shop } = context;

  app.post(
    "/resource/:id/buy",
    withResource(context, async (resource, person, request, reply) => {
      if (person.kind === "owner") {
        return sendForbidden(request, reply, resource, "Owners cannot buy here; be a buyer.");
      }
      return await sendDone(context, reply, resource.id, buy(shop, resource.id, person));
    }),
  );

  app.post(
    "/resource/:id/download",
    withResource(context, async (resource, person, request, reply) => {
      const versionId = member(request.body, "versionId");
      if (!resource.versions.some(({ id }) => id === versionId))
        return sendNotFound(request, reply);
      if (!mayDownload(shop, resource, person)) {
        return sendForbidden(request, reply, resource, BUY_FIRST);
      }
      const key = recordDownload(shop, resource.id, person);
      leaveSaveCookie(reply, resource, versionId);
      if (key !== null) return await sendDone(context, reply, resource.id, key);
      const done = person.kind === "owner" ? "mine" : "again";
      return reply.redirect(`/resource/${resource.id}?done=${done}`, 303);
    }),
  );

  app.get(
    "/resource/:id/file/:versionId",
    withResource(context, (resource, person, request, reply) => {
      const version = resource.versions.find(({ id }) => id === param(request, "versionId"));
      if (version === undefined) return sendNotFound(request, reply);
      if (!mayDownload(shop, resource, person)) {
        return sendForbidden(request, reply, resource, BUY_FIRST);
      }
      const name = `${resource.id}-${version.version.replace(/[^\w.-]+/g, "_")}.${version.fileType}`;
      return reply
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("content-length", version.size)
        .type("application/octet-stream")
        .send(createReadStream(shop.pathOf(version.id)));
    }),
  );
}
