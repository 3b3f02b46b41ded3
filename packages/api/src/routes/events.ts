import { LIMITS, MarkethookError } from "@markethook/protocol";
import type { AcceptItem } from "@markethook/store";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { mergeResults } from "../input/batch-results.ts";
import {
  checkItem,
  countResults,
  refusalPointer,
  rejectedResult,
  storedResult,
  throwRejection,
} from "../input/event-batch.ts";
import { isRejection, toAcceptItem, type EventInput } from "../input/event-input.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import {
  AcceptedEvent,
  DuplicateEvent,
  EventBatch,
  EventBody,
  EventReport,
  EventResult,
  IdempotencyKey,
  LooseEventBatch,
} from "../schemas/event.ts";
import { closed, PRINTABLE, ref, ResourceId } from "../schemas/fields.ts";

const FITS_KEY = new RegExp(PRINTABLE);

const INGEST_ERRORS = [
  "event_unknown",
  "resource_id_invalid",
  "user_id_not_integer",
  "occurred_at_in_future",
  "previous_unknown",
  "event_too_large",
  "idempotency_key_invalid",
  "resource_unknown",
  "idempotency_key_reused",
  "update_id_reused",
  "overloaded",
  "outcome_unknown",
  "storage_full",
  "shutting_down",
] as const;

/**
 * Largest body of one event. Many programs write JSON in ASCII, where a Cyrillic letter takes 6 bytes (`\u0436`) and an emoji
 * 12: three times as many as in UTF-8. With room for spaces.
 */
const ONE_EVENT_BYTES = 3 * LIMITS.eventBytes + 64 * 1024;

export function eventRoutes(app: ApiInstance, { deps }: RouteContext): void {
  app.post(
    "/resources/:id/events",
    {
      ...operation({
        id: "reportEvent",
        summary: "Report an event of a resource",
        description:
          "202 means stored: the event will be delivered. Send an idempotency key, as the header `Idempotency-Key` or in the body, and repeat after any 5xx.",
        tag: "events",
        scope: "events:write",
        params: closed({ id: ResourceId }),
        headers: Type.Object({ "idempotency-key": Type.Optional(IdempotencyKey) }),
        body: EventBody,
        documentedBody: ref(EventReport),
        answers: { 200: DuplicateEvent, 202: AcceptedEvent },
        errors: INGEST_ERRORS,
      }),
      bodyLimit: ONE_EVENT_BYTES,
    },
    async (request, reply) => {
      const startedAt = deps.nowMs();
      const item = toAcceptItem(
        request.params.id,
        request.body,
        idempotencyKey(request, request.body),
        { now: deps.nowSeconds(), randomBytes: deps.randomBytes },
      );
      if (isRejection(item)) return throwRejection(item);
      const [result] = await deps.accept([item]);
      if (result === undefined) throw new Error("the store answered no item");
      if (result.kind === "rejected") {
        const pointer =
          result.code === "resource_unknown" ? undefined : refusalPointer(result.code);
        return throwRejection(pointer === undefined ? result : { ...result, pointer });
      }
      deps.logger.debug(
        {
          requestId: request.id,
          result: result.kind,
          eventId: result.eventId,
          deliveries: result.kind === "accepted" ? result.deliveries : 0,
          ms: deps.nowMs() - startedAt,
        },
        "event reported",
      );
      if (result.kind === "duplicate") {
        return reply.code(200).send({ status: "duplicate", eventId: result.eventId });
      }
      return reply
        .code(202)
        .send({ status: "accepted", eventId: result.eventId, deliveries: result.deliveries });
    },
  );

  app.post(
    "/events",
    {
      ...operation({
        id: "reportEvents",
        summary: "Report up to 1,000 events at once",
        description:
          "The answer has one result per item, in order. Faulty items are rejected one by one; the others are stored, in one transaction where fan-out allows. Each item takes its own `idempotencyKey`.",
        tag: "events",
        scope: "events:write",
        body: LooseEventBatch,
        documentedBody: EventBatch,
        textPerItem: true,
        answers: {
          202: Type.Object({ results: Type.Array(ref(EventResult)) }),
        },
        errors: [...INGEST_ERRORS, "batch_too_large", "header_invalid"],
      }),
      bodyLimit: LIMITS.batchBytes,
    },
    async (request, reply) => {
      if (request.headers["idempotency-key"] !== undefined) {
        throw new MarkethookError("header_invalid", {
          detail: "A batch takes an `idempotencyKey` per item, not the header.",
          pointer: "idempotency-key",
        });
      }
      const startedAt = deps.nowMs();
      const context = { now: deps.nowSeconds(), randomBytes: deps.randomBytes };
      const checked = request.body.events.map((event) =>
        checkItem(event, request.textSuspicious, context),
      );
      // The parsed body need not stay in memory until the commit.
      request.body.events = [];
      const items = checked.filter((one): one is AcceptItem => !isRejection(one));
      const stored = items.length === 0 ? [] : await deps.accept(items);
      const results = mergeResults(checked, stored, rejectedResult, storedResult);
      deps.logger.info(
        {
          requestId: request.id,
          items: results.length,
          ...countResults(results),
          ms: deps.nowMs() - startedAt,
        },
        "events reported",
      );
      return reply.code(202).send({ results });
    },
  );
}

/** From the header or the body; both only if they agree. */
function idempotencyKey(request: FastifyRequest, body: EventInput): string | undefined {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return body.idempotencyKey;
  if (typeof header !== "string" || !FITS_KEY.test(header)) {
    throw new MarkethookError("idempotency_key_invalid", { pointer: "idempotency-key" });
  }
  if (body.idempotencyKey !== undefined && body.idempotencyKey !== header) {
    throw new MarkethookError("idempotency_key_invalid", {
      detail: "The header and the body name different keys.",
      pointer: "/idempotencyKey",
    });
  }
  return header;
}
