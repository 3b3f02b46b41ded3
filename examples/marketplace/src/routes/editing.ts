import type { FastifyInstance } from "fastify";
import { changeDetails } from "../actions/change-details.ts";
import { postUpdate } from "../actions/post-update.ts";
import { removePurchase } from "../actions/remove-purchase.ts";
import { type Context, sendDone, sendNotFound, sendResource } from "../context.ts";
import { readDetails } from "./details-form.ts";
import { readUpdate } from "./update-form.ts";
import { param, withOwnResource } from "./with-resource.ts";

/** What owners do in the edit section. */
export function addEditing(app: FastifyInstance, context: Context): void {
  const { shop } = context;

  app.post(
    "/resource/:id/details",
    withOwnResource(context, async (resource, _person, request, reply) => {
      const { values, fault } = readDetails(request.body);
      if (fault !== null) {
        const form = { name: "details", values, fault } as const;
        return sendResource(context, request, reply, resource, { form }, 422);
      }
      changeDetails(shop, resource.id, values);
      await context.outbox.flush();
      return reply.redirect(`/resource/${resource.id}?done=details`, 303);
    }),
  );

  app.post(
    "/resource/:id/update",
    withOwnResource(context, async (resource, _person, request, reply) => {
      const read = await readUpdate(shop, request);
      if (!read.ok) {
        const form = { name: "update", values: read.values, fault: read.fault } as const;
        return sendResource(context, request, reply, resource, { form }, 422);
      }
      return await sendDone(
        context,
        reply,
        resource.id,
        postUpdate(shop, resource.id, read.posted),
      );
    }),
  );

  for (const kind of ["refund", "chargeback"] as const) {
    app.post(
      `/resource/:id/orders/:orderId/${kind}`,
      withOwnResource(context, async (resource, _person, request, reply) => {
        const orderId = param(request, "orderId");
        const order = shop.data.orders.find(({ id }) => id === orderId);
        if (order?.resourceId !== resource.id) return sendNotFound(request, reply);
        const key = removePurchase(shop, resource.id, orderId, kind);
        return key === null
          ? reply.redirect(`/resource/${resource.id}?done=unchanged`, 303)
          : await sendDone(context, reply, resource.id, key);
      }),
    );
  }
}
