import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { given, MarkethookError } from "@markethook/protocol";
import type { WebhookScopeFilter } from "@markethook/store";
import { actingOwner, actingResource, actorOf } from "../auth/actor.ts";
import { DeliveryFeed } from "../feed/delivery-feed.ts";
import { summaryView } from "../views/delivery-view.ts";
import { ownResource } from "../auth/bound-resource.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { StreamQuery } from "../schemas/delivery.ts";

/** Limit of unread bytes; a slower reader is disconnected and comes back. */
const MOST_UNREAD_BYTES = 1024 * 1024;
const PING_MS = 15_000;

const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Tells proxies not to buffer the answer.
  "x-accel-buffering": "no",
};

export function deliveryStreamRoutes(app: ApiInstance, { deps }: RouteContext): void {
  const feed = new DeliveryFeed(deps, deps.feed);
  // Runs before the server waits for open answers to end.
  app.addHook("preClose", (done) => {
    feed.close();
    done();
  });

  app.get(
    "/deliveries/stream",
    operation({
      id: "streamDeliveries",
      summary: "Deliveries as they are made and as they change, as server-sent events",
      description:
        "`event: delivery` with a delivery as in lists, at most two seconds late; a change may be told twice. `event: skipped`: more has changed than is told, list again. `event: ping` every 15 seconds. `event: end`: the session is over. A key names at least one of the parameters. Open the stream first and list then, and nothing is missed.",
      tag: "deliveries",
      scope: "deliveries:read",
      query: StreamQuery,
      answers: {
        200: Type.Unsafe<string>({
          content: { "text/event-stream": { schema: { type: "string" } } },
        }),
      },
      errors: ["not_found", "too_many_streams", "shutting_down"],
    }),
    async (request, reply) => {
      const ownerId = actingOwner(request);
      const resourceId = actingResource(request, request.query.resourceId);
      const { webhookId } = request.query;
      const filter: WebhookScopeFilter = {
        ...(ownerId === null ? {} : { ownerId }),
        ...given({ resourceId, webhookId }),
      };
      if (Object.keys(filter).length === 0) {
        throw new MarkethookError("parameter_invalid", {
          detail: "Name an owner, a resource or a webhook: nobody can watch everything.",
          pointer: "ownerId",
        });
      }
      if (resourceId !== undefined) await ownResource(deps, resourceId, ownerId, "not_found");
      if (webhookId !== undefined) {
        const webhook = await deps.store.webhooks.get(webhookId, ownerId);
        actingResource(request, webhook.resourceId);
      }
      // Its headers are all of the answer. An answer without an end would hold up the requests that come after it.
      if (request.method === "HEAD") return reply.headers(STREAM_HEADERS).send("");
      let stream: ReturnType<typeof startEventStream> | null = null;
      let ended = false;
      const stop = await feed.open(actorOf(request), filter, {
        delivery: (delivery) => stream?.send("delivery", summaryView(delivery)),
        skipped: () => stream?.send("skipped", {}),
        end() {
          ended = true;
          stream?.end();
        },
      });
      stream = startEventStream(reply, stop);
      if (ended) stream.end();
      return reply;
    },
  );
}

/** Takes over the answer as server-sent events. `onClose` is called once at its end. */
function startEventStream(reply: FastifyReply, onClose: () => void) {
  reply.hijack();
  const response: ServerResponse = reply.raw;
  response.writeHead(200, STREAM_HEADERS);
  response.flushHeaders();
  let count = 0;
  const stream = {
    send(event: string, data: unknown): void {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength > MOST_UNREAD_BYTES) return void response.destroy();
      count += 1;
      response.write(`id: ${count}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end(): void {
      stream.send("end", {});
      response.end();
    },
  };
  const pings = setInterval(() => stream.send("ping", {}), PING_MS);
  pings.unref();
  const closed = (): void => {
    clearInterval(pings);
    onClose();
  };
  // The reader may have left before this began.
  if (response.destroyed) closed();
  else response.once("close", closed);
  return stream;
}
