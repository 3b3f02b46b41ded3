import type { FastifyInstance } from "fastify";
import { changeDetails } from "../actions/change-details.ts";
import { postUpdate } from "../actions/post-update.ts";
import { removePurchase } from "../actions/remove-purchase.ts";
import { type Context, sendDone, sendNotFound, sendResource } from "../context.ts";
import { readUpdate } from "./update-form.ts";
import { member, param, withOwnResource } from "./with-resource.ts";
import { cleanLine, LIMITS, tooLong } from "../form-text.ts";

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
      const key = postUpdate(shop, resource.id, read.posted);
      return await sendDone(context, reply, resource.id, key);
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
        return await sendDone(context, reply, resource.id, key);
      }),
    );
  }
}

function readDetails(body: unknown): {
  values: { title: string; subtitle: string };
  fault: string | null;
} {
  const values = {
    title: cleanLine(member(body, "title")),
    subtitle: cleanLine(member(body, "subtitle")),
  };
  const fault = values.title === "" ? "Give the resource a title." : tooLong(values, LIMITS);
  return { values, fault };
}
